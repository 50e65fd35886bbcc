import TapeFormat

/// What the server refused to take. Gaps replace those lines.
struct RefusedLines: Sendable {
    /// No server refuses a shorter line as too long.
    private static let floor = 1 << 10

    /// The longest line to send: the server would refuse one as long as a refused one.
    private(set) var limit = Int.max
    /// After a message that was too long, lines below go one per message. Those above wait for their acknowledgement.
    private var singlyUntil = 0
    /// The first unacknowledged event when the server refused a bad line. The next welcome says which line it was.
    private var badLineFrom: Int?
    /// Where a gap replaced a bad line. A second refusal there ends the link.
    private var replacedAt: Int?

    /// Whether the line is sent in its own message.
    func isSingle(_ seq: Int) -> Bool { seq < singlyUntil }

    /// Whether the line must wait until others are acknowledged.
    func isHeld(_ seq: Int, _ outbox: Outbox) -> Bool { seq >= singlyUntil && outbox.first < singlyUntil }

    /// Handles a close with code 4000.
    ///
    /// - Returns: Whether to reconnect.
    mutating func badLine(_ outbox: Outbox) -> Bool {
        badLineFrom = outbox.first
        return outbox.first != replacedAt
    }

    /// Handles a close with code 1009, after all lines below `sent` were sent.
    ///
    /// - Returns: Whether to reconnect.
    mutating func tooBig(_ outbox: inout Outbox, sent: Int) -> Bool {
        // The line may already be part of a gap that isn't acknowledged yet.
        guard outbox.first < singlyUntil, outbox.line(at: outbox.first)?.kind != .gap else {
            singlyUntil = outbox.next
            return true
        }
        // If any of the lines was too long, the longest was.
        guard let longest = outbox.longest(in: outbox.first..<max(outbox.first, sent)),
            longest.bytes.count > Self.floor
        else { return false }
        outbox.replaceByGap(at: longest.seq, .refused)
        limit = min(limit, longest.bytes.count - 1)
        return true
    }

    /// Handles a welcome, with the server's position.
    ///
    /// - Returns: Whether to continue: false if the server refused a gap as well.
    mutating func welcomed(have: Int, _ outbox: inout Outbox) -> Bool {
        guard let from = badLineFrom else { return true }
        badLineFrom = nil
        // The server commits the lines before it, then closes.
        let offender = max(from, have)
        guard let line = outbox.line(at: offender) else { return true }
        guard offender != replacedAt else { return false }
        replacedAt = offender
        if line.kind != .gap { outbox.replaceByGap(at: offender, .refused) }
        return true
    }
}
