/// Events that were acknowledged and aren't in the archive any more.
package struct LostEvents: Equatable, Sendable, CustomStringConvertible {
    package let session: String
    /// The session's row; nil if the whole session is missing.
    package let row: Int64?
    /// Where the file ``Acknowledged`` has the session.
    package let slot: Int64
    package let seqs: Range<Int>
    /// Whether later events are there: a gap can't be put at the end.
    package var isInside = false

    package var description: String {
        let events = "events \(seqs.lowerBound)–\(seqs.upperBound - 1) were acknowledged, and are missing"
        return "session \(session)\(row == nil ? " is missing" : ""): \(events)"
    }
}
