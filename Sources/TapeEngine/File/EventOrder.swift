package import TapeFormat

/// Checks that events follow each other, and that none follows the end.
package struct EventOrder: Sendable {
    /// The next seq.
    package private(set) var next: Int
    private var hasEnded: Bool

    package init(next: Int, hasEnded: Bool = false) {
        self.next = next
        self.hasEnded = hasEnded
    }

    /// - Throws: If the line can't come next.
    package func check(_ line: EventLine) throws(FormatError) {
        guard !hasEnded else { throw FormatError("no event may follow “end”") }
        guard line.first == next else {
            throw FormatError(
                line.kind == .gap
                    ? "the gap must begin at seq \(next), but begins at \(line.first)"
                    : "member “seq” must be \(next), but is \(line.seq)")
        }
    }

    /// Moves past a checked line.
    package mutating func advance(past line: EventLine) {
        next = line.seq + 1
        hasEnded = line.kind == .end
    }
}
