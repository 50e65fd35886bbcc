import Dispatch
import TapeFormat

/// Retains a store's last state, like a recorder, and releases earlier states on its own thread.
final class Keeper: Sendable {
    private let queue = DispatchQueue(label: "statetape-bench.keeper")
    private let kept = Locked<[BenchState]>([])
    private let isReading: Bool
    private let sum = Locked<UInt64>(0)

    /// - Parameter isReading: Whether it reads the last two states, like a comparison: memory that another core has read
    ///   is slower to write.
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
                let old = kept.dropLast()
                kept.removeFirst(old.count)
                return old
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
