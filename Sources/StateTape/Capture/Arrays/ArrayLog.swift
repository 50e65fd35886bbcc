/// The changes of an array that the recorder's thread has not applied yet.
///
/// They are apart from the samples: where one loses its state, the next still needs its changes.
final class ArrayLog<Element>: Sendable {
    struct Entry {
        /// The number of the state that has it.
        let position: Int
        let change: ArrayChange<Element>
        /// About what it takes.
        let bytes: Int
    }

    private struct Waiting {
        var entries: [Entry] = []
        var bytes = 0
        var isClosed = false
    }

    private let waiting = Guarded(Waiting())

    /// What the changes take that are not applied; nil if none will be any more.
    var bytes: Int? { waiting.withLock { $0.isClosed ? nil : $0.bytes } }

    func append(_ change: ArrayChange<Element>, at position: Int, bytes: Int) {
        waiting.withLock {
            if $0.isClosed { return }
            $0.entries.append(Entry(position: position, change: change, bytes: bytes))
            $0.bytes += bytes
        }
    }

    /// Nothing is recorded any more.
    func close() {
        // What is freed may be the app's: not in the lock.
        let entries = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.entries = [] }
            return waiting.entries
        }
        withExtendedLifetime(entries) {}
    }

    /// - Parameter applied: What those took that were taken before and are applied now.
    func take(applied: Int) -> [Entry] {
        waiting.withLock { waiting in
            waiting.bytes -= applied
            defer { waiting.entries = [] }
            return waiting.entries
        }
    }
}
