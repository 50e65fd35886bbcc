/// Events that were acknowledged and aren't in the archive any more.
struct LostEvents: Equatable, Sendable, CustomStringConvertible {
    let session: String
    /// The session's row; nil if the whole session is missing.
    let row: Int64?
    let seqs: Range<Int>

    var description: String {
        let events = "events \(seqs.lowerBound)–\(seqs.upperBound - 1) were acknowledged, and are missing"
        return "session \(session)\(row == nil ? " is missing" : ""): \(events)"
    }
}
