import Foundation
import TapeFormat

/// A file of event lines, one record each, after a signature of eight bytes.
enum Segment {
    static let signature = Array("STTAPE1\n".utf8)

    /// The contents of a segment's file.
    struct Contents {
        var lines: [EventLine] = []
        /// The gap for the segments that were dropped before it.
        var gap: EventLine?
        /// The tickets of the actions whose lines these are.
        var tickets: Set<UInt64> = []
        /// The offset of the end of the last whole record, in bytes.
        var size = 0
        /// Whether bytes between whole records can't be read, or the file is not a segment.
        var isDamaged = false
        /// Whether bytes follow the last whole record.
        var isTorn = false
    }

    /// Reads the whole records of a segment.
    static func read(_ file: URL) throws -> Contents {
        try OpenFile.read(file).withUnsafeBytes { read($0) }
    }

    static func read(_ bytes: UnsafeRawBufferPointer) -> Contents {
        var contents = Contents()
        guard bytes.starts(with: signature) else {
            // The file may have only a part of the signature, if it was just begun.
            contents.isTorn = signature.starts(with: bytes)
            contents.isDamaged = !contents.isTorn
            return contents
        }
        contents.size = signature.count
        while let record = SpoolRecord.next(in: bytes, from: contents.size) {
            if record.range.lowerBound > contents.size { contents.isDamaged = true }
            contents.size = record.range.upperBound
            if record.ticket > 0 { contents.tickets.insert(record.ticket) }
            guard let line = try? EventLine(parsing: Array(bytes[record.payload])) else {
                contents.isDamaged = true
                continue
            }
            switch record.kind {
            case .line: contents.lines.append(line)
            case .gap: contents.gap = line
            case .action: contents.isDamaged = true
            }
        }
        contents.isTorn = contents.size < bytes.count
        return contents
    }
}
