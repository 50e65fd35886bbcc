#if Server
    import TapeFormat

    @testable import StateTape

    /// A segment's bytes: every record lies inside them, one behind the other. Behind any rubbish the next whole record is
    /// found.
    func fuzzSpool(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var end = 0
            while let record = SpoolRecord.next(in: bytes, from: end) {
                require(record.range.lowerBound >= end, "a record begins inside the one before")
                require(record.payload.upperBound <= bytes.count, "a record goes on past the end")
                end = record.range.upperBound
            }
            check(Segment.read(bytes), within: bytes.count)
        }
        let record = SpoolRecord.bytes(.line, ticket: UInt64(bytes.count), bytes)
        let isFound = (bytes + record).withUnsafeBytes { all in
            var place = 0
            while let found = SpoolRecord.next(in: all, from: place) {
                if found.payload == bytes.count + SpoolRecord.headSize..<all.count { return true }
                place = found.range.upperBound
            }
            return false
        }
        require(isFound || couldSwallow(bytes), "a record behind rubbish isn't found")
    }

    private func check(_ contents: Segment.Contents, within count: Int) {
        require(0...count ~= contents.size, "a segment is longer than its file")
        for line in contents.lines + [contents.gap].compactMap(\.self) {
            require((try? EventLine(parsing: line.bytes)) != nil, "a line that is none")
        }
    }

    /// Whether the bytes hold a whole record themselves, which the one behind them may be a part of.
    private func couldSwallow(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { SpoolRecord.next(in: $0, from: 0) != nil } || bytes.contains(0xff)
    }
#endif
