import Foundation
import TapeFormat

/// A file of event lines, each a record, behind eight bytes that say what it is.
enum Segment {
    static let signature = Array("STTAPE1\n".utf8)

    /// What a segment's file holds.
    struct Contents {
        var lines: [EventLine] = []
        /// What stands for the segments before that were given up.
        var gap: EventLine?
        /// The actions whose lines these are.
        var tickets: Set<UInt64> = []
        /// The bytes up to the end of the last whole record.
        var size = 0
        /// Whether something between whole records can't be read, or the file is none of ours.
        var isDamaged = false
        /// Whether there is something behind the last whole record.
        var isTorn = false
    }

    /// Reads what is whole in a segment.
    static func read(_ file: URL) throws -> Contents {
        try OpenFile.read(file).withUnsafeBytes { read($0) }
    }

    static func read(_ bytes: UnsafeRawBufferPointer) -> Contents {
        var contents = Contents()
        guard bytes.starts(with: signature) else {
            // One that was just begun.
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
