import TapeFormat

/// Finds the line that the server refuses, and replaces it with a gap.
struct OversizedLineSearch: Sendable {
    /// How many searches in a row may be fruitless before the link ends.
    private static let idlePollLimit = 3

    /// No server refuses a shorter line as too long. This bounds the cost of a search that goes wrong.
    private static let floor = 1 << 10

    /// The longest line to send: the server would refuse one as long as a refused one.
    private(set) var limit = Int.max
    /// The first unacknowledged event when the server refused a bad line. The next welcome says which line it was.
    private var badLineFrom: Int?
    /// Where a gap replaced a bad line. A second refusal there ends the link.
    private var replacedAt: Int?
    /// To find the line that is too long, lines below go one per message. Lines above wait for their acknowledgement.
    private var singlyUntil = 0
    private var fruitless = 0
    /// The server's position at the last welcome. It may advance or be set back.
    private var place = 0

    /// Whether the line is sent in its own message.
    func isSingle(_ seq: Int) -> Bool { seq < singlyUntil }

    /// Whether the line must wait until others are acknowledged.
    func isHeld(_ seq: Int, _ outbox: Outbox) -> Bool { seq >= singlyUntil && isSearching(outbox) }

    /// Whether a line that was sent alone is not acknowledged yet.
    private func isSearching(_ outbox: Outbox) -> Bool { outbox.first < singlyUntil }

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
        if isSearching(outbox), outbox.line(at: outbox.first)?.kind != .gap,
            // If any line was too long, the longest was.
            let longest = outbox.longest(in: outbox.first..<max(outbox.first, sent))
        {
            outbox.replaceByGap(at: longest.seq, .refused)
            limit = min(limit, max(longest.bytes.count - 1, Self.floor))
        } else {
            singlyUntil = outbox.next
            fruitless += 1
        }
        return fruitless <= Self.idlePollLimit
    }

    /// Handles a welcome, with the server's position.
    ///
    /// - Returns: Whether to continue: false if the server refused a gap as well.
    mutating func welcomed(have: Int, _ outbox: inout Outbox) -> Bool {
        if have != place { (place, fruitless) = (have, 0) }
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
