package import TapeFormat

/// The bytes of consecutive lines, with a newline after each.
package struct LineBatch: Sendable {
    /// The first seq of the batch.
    package let first: Int
    /// The seq after the last one of the batch.
    package private(set) var next: Int
    package private(set) var bytes: [UInt8]
    /// Whether a checksum confirmed the bytes, or each line was parsed before.
    package let isChecked: Bool

    package init(first: Int, next: Int, bytes: [UInt8], isChecked: Bool = false) {
        self.first = first
        self.next = next
        self.bytes = bytes
        self.isChecked = isChecked
    }

    /// Appends the batch that follows.
    package mutating func append(_ batch: LineBatch) {
        next = batch.next
        bytes += batch.bytes
    }

    /// The parsed lines.
    ///
    /// - Throws: `FormatError` if their seqs aren't consecutive.
    package var lines: [EventLine] {
        get throws(FormatError) {
            var lines: [EventLine] = []
            var expected = first
            for bytes in bytes.lines {
                let line = try EventLine(parsing: bytes)
                guard line.first == expected else {
                    throw FormatError("expected event \(expected), found event \(line.first)")
                }
                expected = line.seq + 1
                lines.append(line)
            }
            guard expected == next, !lines.isEmpty else {
                throw FormatError("expected the batch to end before event \(next), but it ends before \(expected)")
            }
            return lines
        }
    }
}

/// The unparsed lines of a batch with one line per event.
package struct UnparsedLines {
    private let first: Int
    private let bytes: [UInt8]
    private let places: [Range<Int>]

    /// Returns nil if a line covers several events: then the seq doesn't follow from the position of a line.
    package init?(_ batch: LineBatch) {
        let places = batch.bytes.linePlaces
        guard places.count == batch.next - batch.first else { return nil }
        (first, bytes, self.places) = (batch.first, batch.bytes, places)
    }

    package func line(_ seq: Int) -> ArraySlice<UInt8>? {
        places.indices ~= seq - first ? bytes[places[seq - first]] : nil
    }
}
