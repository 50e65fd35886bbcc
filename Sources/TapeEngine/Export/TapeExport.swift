import TapeFormat

/// A tape, or a part of it, as the lines of a file, piece by piece.
package struct TapeExport {
    /// Pieces are about this long.
    private static let maxPiece = 256 << 10

    private let tape: any TapeSource
    private let header: Header
    private let part: Range<Int>
    /// The next seq to write; nil before the header.
    private var next: Int?

    /// - Parameter part: The events. Where others come before them, the file begins with the states after those.
    package init(_ tape: any TapeSource, _ part: Range<Int>, _ states: States) throws {
        self.tape = tape
        self.part = part
        var header = tape.header
        if part.lowerBound > 0 {
            header.from = part.lowerBound
            // Two levels of the header are around each: a reader doesn't learn a state that doesn't fit.
            header.states = try states.states(of: tape, after: part.lowerBound - 1).filter { $0.value.fits(inside: 2) }
        }
        self.header = header
    }

    /// The next piece of the file; nil after its end.
    package mutating func piece() throws -> [UInt8]? {
        guard let first = next else {
            next = part.lowerBound
            return header.json.bytes + [UInt8(ascii: "\n")]
        }
        guard first < part.upperBound else { return nil }
        var piece: [UInt8] = []
        var reached = part.upperBound
        try tape.each(in: first..<part.upperBound) { line in
            // A gap that begins before the part, or ends after it, is cut to it.
            piece += line.clipped(to: part).bytes
            piece.append(UInt8(ascii: "\n"))
            if piece.count >= Self.maxPiece { reached = line.seq + 1 }
            return piece.count < Self.maxPiece
        }
        next = reached
        return piece
    }
}
