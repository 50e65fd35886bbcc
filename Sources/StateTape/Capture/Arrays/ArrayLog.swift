import TapeFormat

/// The changes of an array that the recorder's thread has not applied yet.
///
/// They are apart from the samples: where one loses its state, the next still needs its changes.
final class ArrayLog: Sendable {
    /// A change of an array. It knows nothing of the elements: looking up what a generic type is would cost the app more
    /// than all the rest of leaving it.
    class Entry {
        /// The number of the state that has it.
        final let position: Int
        /// About what it takes.
        final let bytes: Int

        init(at position: Int, bytes: Int) {
            self.position = position
            self.bytes = bytes
        }
    }

    private struct Waiting {
        var entries: [Entry] = []
        var bytes = 0
        var isClosed = false
    }

    private let waiting = Locked(Waiting())

    /// What the changes take that are not applied; nil if none will be any more.
    var bytes: Int? { waiting.withLock { $0.isClosed ? nil : $0.bytes } }

    func append(_ entry: Entry) {
        waiting.withLock {
            if $0.isClosed { return }
            $0.entries.append(entry)
            $0.bytes += entry.bytes
        }
    }

    /// - Parameter applied: What those took that were taken before and are applied now.
    func take(applied: Int) -> [Entry] {
        waiting.withLock { waiting in
            waiting.bytes -= applied
            defer { waiting.entries = [] }
            return waiting.entries
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
}

/// An entry with its change.
final class ArrayStep<Element>: ArrayLog.Entry {
    let change: ArrayChange<Element>

    required init(_ change: ArrayChange<Element>, at position: Int, bytes: Int = 0) {
        self.change = change
        super.init(at: position, bytes: bytes)
    }
}
