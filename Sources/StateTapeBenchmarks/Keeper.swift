#if Server
    import Dispatch
    import Synchronization

    /// Keeps a store's last state, as a recorder does, and lets go of those before it on a thread of its own.
    final class Keeper: Sendable {
        private let queue = DispatchQueue(label: "statetape-bench.keeper")
        private let kept = Mutex<[BenchState]>([])
        private let isReading: Bool
        private let sum = Mutex<UInt64>(0)

        /// - Parameter isReading: Reads what it keeps and the state before once through, as whoever compares them has to:
        ///   memory that another core has read is slower to write.
        init(isReading: Bool) {
            self.isReading = isReading
        }

        func keep(_ state: BenchState) {
            kept.withLock { $0.append(state) }
        }

        func letGo() {
            queue.async { [self] in
                if isReading { read(kept.withLock { $0 }) }
                _ = kept.withLock { kept in
                    let gone = kept.dropLast()
                    kept.removeFirst(gone.count)
                    return gone
                }
            }
        }

        private func read(_ states: [BenchState]) {
            for state in states {
                state.todos.withUnsafeBytes { bytes in
                    let words = bytes.bindMemory(to: UInt64.self)
                    sum.withLock { sum in words.forEach { sum &+= $0 } }
                }
            }
        }
    }
#endif
