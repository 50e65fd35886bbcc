import TapeFormat

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

/// The input is a segment. Its records are inside of it and don't overlap. After garbage the next complete record is
/// found.
func fuzzSpool(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
        var end = 0
        while let record = SpoolRecord.next(in: bytes, from: end) {
            require(record.range.lowerBound >= end, "a record overlaps the previous one")
            require(record.payload.upperBound <= bytes.count, "a record exceeds the segment")
            end = record.range.upperBound
        }
        check(Segment.read(bytes), within: bytes.count)
    }
    // The last record's head depends on this input, so that the garbage can't contain it.
    let record = SpoolRecord.bytes(.line, ticket: UInt64(bytes.count), bytes)
    let isFound = (bytes + record).withUnsafeBytes { all in
        var place = 0
        while let found = SpoolRecord.next(in: all, from: place) {
            if found.range.lowerBound == bytes.count { return true }
            place = found.range.upperBound
        }
        return false
    }
    require(isFound, "a record after garbage isn't found")
}

private func check(_ contents: Segment.Contents, within count: Int) {
    require(0...count ~= contents.size, "a segment is longer than its file")
    for line in contents.lines + [contents.gap].compactMap(\.self) {
        require((try? EventLine(parsing: line.bytes)) != nil, "an event line is invalid")
    }
}
