package import TapeFormat

/// Lines that lie together, as they stand, with a newline after each.
package struct LineBatch: Sendable {
    /// The first seq that they cover, and the one after the last.
    package let first: Int
    package private(set) var next: Int
    package private(set) var bytes: [UInt8]
    /// Whether a checksum has shown that these are the bytes that were written, or each line was parsed before.
    package let isChecked: Bool

    package init(first: Int, next: Int, bytes: [UInt8], isChecked: Bool = false) {
        self.first = first
        self.next = next
        self.bytes = bytes
        self.isChecked = isChecked
    }

    /// Adds the lines that follow.
    package mutating func append(_ batch: LineBatch) {
        next = batch.next
        bytes += batch.bytes
    }

    /// The lines, parsed. They follow each other without holes from the first seq up to the last.
    ///
    /// - Throws: `FormatError` if they don't.
    package var lines: [EventLine] {
        get throws(FormatError) {
            var lines: [EventLine] = []
            var expected = first
            for bytes in bytes.lines {
                let line = try EventLine(parsing: bytes)
                guard line.first == expected else {
                    throw FormatError("event \(line.first) stands where \(expected) should")
                }
                expected = line.seq + 1
                lines.append(line)
            }
            guard expected == next, !lines.isEmpty else {
                throw FormatError("a batch ends at \(expected), not \(next)")
            }
            return lines
        }
    }
}

/// The lines of a batch, unparsed, of which there is one for each event.
package struct UnparsedLines {
    private let first: Int
    private let bytes: [UInt8]
    private let places: [Range<Int>]

    /// Nil if a line stands for several events: the place of a line doesn't tell its seq then.
    package init?(_ batch: LineBatch) {
        let places = batch.bytes.linePlaces
        guard places.count == batch.next - batch.first else { return nil }
        (first, bytes, self.places) = (batch.first, batch.bytes, places)
    }

    package func line(_ seq: Int) -> ArraySlice<UInt8>? {
        places.indices ~= seq - first ? bytes[places[seq - first]] : nil
    }
}
