import TapeFormat

/// The changes of an array that the recorder's thread has not applied yet.
///
/// They are separate from the events: if one event loses its state, the next still needs the changes.
final class ArrayLog: Sendable {
    /// A change of an array, independent of the element type. Looking up a generic type would cost the app more than
    /// the rest of logging the change.
    class Entry {
        /// The number of the state that has the change.
        final let position: Int
        /// About how many bytes the change takes.
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

    /// Bytes of the changes that are not applied yet; nil if the log is closed.
    var bytes: Int? { waiting.withLock { $0.isClosed ? nil : $0.bytes } }

    func append(_ entry: Entry) {
        waiting.withLockUnchecked {
            if $0.isClosed { return }
            $0.entries.append(entry)
            $0.bytes += entry.bytes
        }
    }

    /// - Parameter applied: Bytes of the changes that were taken before and are applied now.
    func take(applied: Int) -> [Entry] {
        waiting.withLock { waiting in
            waiting.bytes -= applied
            defer { waiting.entries = [] }
            return waiting.entries
        }
    }

    /// Recording has ended.
    func close() {
        // Freeing the entries may run the app's code, so it stays outside of the lock.
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
