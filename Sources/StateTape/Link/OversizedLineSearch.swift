import TapeFormat

/// Finds the line that the server would not take, and puts a gap in its place.
struct OversizedLineSearch: Sendable {
    /// How often in a row nothing can be done about a message that was too big before the link ends.
    private static let idlePollLimit = 3

    /// No line that a server refuses as too long is shorter than this: a search that went wrong costs no more.
    private static let floor = 1 << 10

    /// The longest line that is tried: one as long as a refused one would be refused again.
    private(set) var limit = Int.max
    /// A bad line was refused when everything below was acknowledged; where exactly, the next welcome says.
    private var badLineFrom: Int?
    /// Where a gap took a bad line's place; a second refusal there ends the link.
    private var replacedAt: Int?
    /// Below, lines go one a message, and none goes above before these are acknowledged: to find the one that is too long.
    private var singlyUntil = 0
    private var fruitless = 0
    /// Where the server stood at the last welcome: it may go on, or be set back.
    private var place = 0

    /// Whether the line goes alone.
    func isSingle(_ seq: Int) -> Bool { seq < singlyUntil }

    /// Whether the line has to wait until others are acknowledged.
    func isHeld(_ seq: Int, _ outbox: Outbox) -> Bool { seq >= singlyUntil && isSearching(outbox) }

    /// Whether something that went alone is not acknowledged yet.
    private func isSearching(_ outbox: Outbox) -> Bool { outbox.first < singlyUntil }

    /// The server closed with 4000.
    ///
    /// - Returns: Whether to come back.
    mutating func badLine(_ outbox: Outbox) -> Bool {
        badLineFrom = outbox.first
        return outbox.first != replacedAt
    }

    /// The server closed with 1009, after everything below `sent` was sent.
    ///
    /// - Returns: Whether to come back.
    mutating func tooBig(_ outbox: inout Outbox, sent: Int) -> Bool {
        // A gap that isn't acknowledged yet may have taken the offender in.
        if isSearching(outbox), outbox.line(at: outbox.first)?.kind != .gap,
            // If any was too long, the longest was.
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

    /// The server says what it has.
    ///
    /// - Returns: Whether to go on: false if a gap was refused as well.
    mutating func welcomed(have: Int, _ outbox: inout Outbox) -> Bool {
        if have != place { (place, fruitless) = (have, 0) }
        guard let from = badLineFrom else { return true }
        badLineFrom = nil
        // What is ahead of it is committed before the close.
        let offender = max(from, have)
        guard let line = outbox.line(at: offender) else { return true }
        guard offender != replacedAt else { return false }
        replacedAt = offender
        if line.kind != .gap { outbox.replaceByGap(at: offender, .refused) }
        return true
    }
}
