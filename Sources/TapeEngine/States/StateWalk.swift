package import TapeFormat

/// Iterates over the lines of a tape, with the state of one store after each.
package struct StateWalk: Sendable {
    private let tape: any TapeSource
    private let end: Int
    private var lines: ArraySlice<EventLine> = []
    private var cursor: StateCursor
    private var seq: Int

    /// - Parameters:
    ///   - seq: The event before the first line.
    ///   - end: The seq after the last line.
    package init(_ tape: any TapeSource, _ store: String, after seq: Int, to end: Int, _ states: States) throws {
        self.tape = tape
        self.end = end
        self.seq = seq + 1
        cursor = try states.cursor(tape, store, at: seq)
    }

    /// The state of the store after the last line; nil if it isn't known.
    package var state: JSON? { get throws { try cursor.known?.json() } }

    /// The next line of any store; a gap may extend beyond the end.
    package mutating func next() throws -> EventLine? {
        if lines.isEmpty, seq < end { lines = try tape.lines(from: seq) ?? [] }
        guard let line = lines.popFirst(), line.first < end else { return nil }
        seq = line.seq + 1
        _ = cursor.take(line)
        return line
    }
}
