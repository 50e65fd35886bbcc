#if Server
    import Dispatch
    import Synchronization

    /// Keeps a store's last state, as a recorder does, and lets go of those before it on a thread of its own.
    final class Keeper: Sendable {
        private let queue = DispatchQueue(label: "statetape-bench.keeper")
        private let kept = Mutex<[BenchState]>([])

        func keep(_ state: BenchState) {
            kept.withLock { $0.append(state) }
        }

        func letGo() {
            queue.async { [self] in
                _ = kept.withLock { kept in
                    let gone = kept.dropLast()
                    kept.removeFirst(gone.count)
                    return gone
                }
            }
        }
    }
#endif
