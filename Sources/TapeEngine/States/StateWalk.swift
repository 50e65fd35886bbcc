package import TapeFormat

/// The lines of a tape from a place on, with the state of one store after each.
package struct StateWalk: Sendable {
    private let tape: any TapeSource
    private let end: Int
    private var lines: ArraySlice<EventLine> = []
    private var cursor: StateCursor
    private var seq: Int

    /// - Parameters:
    ///   - seq: The event whose state the walk begins with.
    ///   - end: After the last event.
    package init(_ tape: any TapeSource, _ store: String, after seq: Int, to end: Int, _ states: States) throws {
        self.tape = tape
        self.end = end
        self.seq = seq + 1
        cursor = try states.cursor(tape, store, at: seq)
    }

    /// The state of the store after the last line; nil where it isn't known.
    package var state: JSON? { cursor.known }

    /// The next line, whatever store it is of; a gap may reach beyond the end.
    package mutating func next() throws -> EventLine? {
        if lines.isEmpty, seq < end { lines = try tape.lines(from: seq) ?? [] }
        guard let line = lines.popFirst(), line.first < end else { return nil }
        seq = line.seq + 1
        _ = cursor.take(line)
        return line
    }
}
