package import TapeFormat

/// Writes a tape, or a range of its events, as the lines of a file, chunk by chunk.
package struct TapeExport {
    /// The approximate size of a chunk in bytes.
    private static let maxPiece = 256 << 10

    private let tape: any TapeSource
    private let header: Header
    private let part: Range<Int>
    /// The next seq to write; nil before the header.
    private var next: Int?

    /// - Parameters:
    ///   - part: The events to export. If the tape has earlier events, the header contains the states after them.
    ///   - header: By default the tape's own.
    package init(_ tape: any TapeSource, _ part: Range<Int>, _ states: States, header: Header? = nil) throws {
        self.tape = tape
        self.part = part
        var header = header ?? tape.header
        if part.lowerBound > 0 {
            header.from = part.lowerBound
            // The header adds two levels of nesting; a state that would be too deep is left out.
            header.states = try states.states(of: tape, after: part.lowerBound - 1).filter { $0.value.fits(inside: 2) }
            try Self.check(header, before: part.lowerBound)
        }
        self.header = header
    }

    /// Every reader accepts what is written here.
    private static func check(_ header: Header, before seq: Int) throws {
        let size = (header.states ?? [:]).values.reduce(0) { $0 + ((try? JSON.Footprint($1))?.text ?? 0) }
        guard size > Limits.headerWithStates / 2, header.json.bytes.count > Limits.headerWithStates else { return }
        throw TooLarge(
            """
            The states before event \(seq) have about \(size) bytes; a tape's header may have \(Limits.headerWithStates). \
            Export all events, which needs no states in the header.
            """)
    }

    /// The next chunk of the file; nil at the end.
    package mutating func piece() throws -> [UInt8]? {
        guard let first = next else {
            next = part.lowerBound
            return header.json.bytes + [UInt8(ascii: "\n")]
        }
        guard first < part.upperBound else { return nil }
        var piece: [UInt8] = []
        var reached = part.upperBound
        try tape.each(in: first..<part.upperBound) { line in
            // A gap that crosses the range's bounds is clipped.
            piece += line.clipped(to: part).bytes
            piece.append(UInt8(ascii: "\n"))
            if piece.count >= Self.maxPiece { reached = line.seq + 1 }
            return piece.count < Self.maxPiece
        }
        next = reached
        return piece
    }
}
