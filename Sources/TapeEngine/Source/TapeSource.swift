package import TapeFormat

/// A tape that can be read: one session of an archive, or a file.
///
/// Every function throws what the medium throws; what is damaged there is a gap in `lines`.
package protocol TapeSource: Sendable {
    /// Differs between the tapes that are read with the same ``States``.
    var key: Int64 { get }
    var header: Header { get }
    /// The events that the tape has.
    var seqs: Range<Int> { get }

    /// The lines that lie together with the event at `seq`, unparsed; nil where they are damaged or missing.
    func batch(at seq: Int) throws -> LineBatch?
    /// The same lines, from the one that covers `seq` on; nil past the end.
    func lines(from seq: Int) throws -> ArraySlice<EventLine>?
    /// The heads of events from the one that covers `seq` on, as many as lie together; nil past the end.
    func heads(from seq: Int) throws -> ArraySlice<Head>?

    /// The nearest line of the store at or before `seq` that sets or clears its base; without a store, the nearest gap.
    func base(of store: String?, upTo seq: Int) throws -> StateBase?
    /// The state of a store after `seq`, where a base says that it is kept there; nil if it can't be read.
    func keyframe(of store: String, at seq: Int) throws -> JSON?
    /// The first full state of the store after `seq`.
    func nextState(of store: String, after seq: Int) throws -> Int?
    /// Every store that had a full state at or before `seq`, by name.
    func stores(upTo seq: Int) throws -> [String]

    /// A patch doesn't apply. From here on it is a base.
    func markBroken(_ patch: BrokenPatch) throws
    /// The events whose patches are marked as broken.
    func brokenSeqs() throws -> Set<Int>
    /// Where states are kept after events of a range.
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

    package func heads(from seq: Int) throws -> ArraySlice<Head>? {
        try lines(from: seq)?.map { Head($0) }[...]
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
