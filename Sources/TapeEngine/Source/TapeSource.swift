package import TapeFormat

/// A readable tape: one session of an archive, or a file.
///
/// All functions throw errors of the storage. Damaged events are a gap in `lines`.
package protocol TapeSource: Sendable {
    /// Identifies the tape among those that share a ``States``.
    var key: Int64 { get }
    var header: Header { get }
    /// The seqs of the tape's events.
    var seqs: Range<Int> { get }

    /// The unparsed batch that contains the event at `seq`; nil if it is damaged or missing.
    func batch(at seq: Int) throws -> LineBatch?
    /// The lines of the same batch, from the one that covers `seq` on; nil after the end.
    func lines(from seq: Int) throws -> ArraySlice<EventLine>?
    /// The heads of the same batch, from the one that covers `seq` on; nil after the end.
    func heads(from seq: Int) throws -> ArraySlice<EventHead>?

    /// The last line of the store at or before `seq` that sets or clears its base; without a store, the last gap.
    func base(of store: String?, upTo seq: Int) throws -> StateBase?
    /// The stored state of a store after `seq`, for a base of the kind `keyframe`; nil if it can't be read.
    func keyframe(of store: String, at seq: Int) throws -> HeldState?
    /// The first full state of the store after `seq`.
    func nextState(of store: String, after seq: Int) throws -> Int?
    /// The names of all stores that had a full state at or before `seq`, sorted.
    func stores(upTo seq: Int) throws -> [String]

    /// Marks a patch that doesn't apply. Its event then counts as a base.
    func markBroken(_ patch: BrokenPatch) throws
    /// The events whose patches are marked as broken.
    func brokenSeqs() throws -> Set<Int>
    /// The stores and events of a range for which the tape stores a state.
    func keyframes(in range: Range<Int>) throws -> [(store: String, seq: Int)]
}

extension TapeSource {
    /// The line that covers `seq`.
    package func line(at seq: Int) throws -> EventLine? {
        try lines(from: seq)?.first
    }

    /// Calls `body` with each line of a range, until it returns false.
    package func each(in range: Range<Int>, _ body: (EventLine) throws -> Bool) throws {
        var seq = range.lowerBound
        while seq < range.upperBound, let lines = try lines(from: seq), let last = lines.last {
            for line in lines {
                guard line.first < range.upperBound, try body(line) else { return }
            }
            seq = last.seq + 1
        }
    }

    package func heads(from seq: Int) throws -> ArraySlice<EventHead>? {
        try lines(from: seq)?.map { EventHead($0) }[...]
    }

    package func markBroken(_ patch: BrokenPatch) {}
    package func brokenSeqs() -> Set<Int> { [] }
    package func keyframes(in range: Range<Int>) -> [(store: String, seq: Int)] { [] }
}

/// A patch that doesn't apply to the state before it.
package struct BrokenPatch: Sendable {
    package let store: String
    package let seq: Int
    package let reason: String
}
