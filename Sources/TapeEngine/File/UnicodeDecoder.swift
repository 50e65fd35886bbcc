/// Removes a byte order mark, and converts UTF-16 to UTF-8, also without such a mark, chunk by chunk.
///
/// Half a surrogate pair becomes the three bytes that such a number would have in UTF-8. The parser of a tape refuses
/// them with their place; ``HalfCharacters`` replaces them in other files.
struct UnicodeDecoder {
    private enum Encoding {
        case unknown
        case utf8
        case utf16(isBigEndian: Bool)
    }

    private static let marks: [(bytes: [UInt8], encoding: Encoding)] = [
        ([0xef, 0xbb, 0xbf], .utf8), ([0xff, 0xfe], .utf16(isBigEndian: false)),
        ([0xfe, 0xff], .utf16(isBigEndian: true)),
    ]

    private var encoding = Encoding.unknown
    /// The bytes of an incomplete mark or code unit.
    private var rest: [UInt8] = []
    /// The first half of a pair.
    private var high: UInt16?

    /// The UTF-8 text of the next chunk.
    mutating func decode(_ piece: [UInt8]) -> [UInt8] {
        switch encoding {
        case .utf8: return piece
        case .utf16(let isBigEndian): return utf16(piece[...], isBigEndian)
        case .unknown:
            let start = rest + piece
            if let mark = Self.marks.first(where: { start.starts(with: $0.bytes) }) {
                (encoding, rest) = (mark.encoding, [])
                return decode(Array(start.dropFirst(mark.bytes.count)))
            }
            guard start.count > 1, !Self.marks.contains(where: { $0.bytes.starts(with: start) }) else {
                rest = start
                return []
            }
            // JSON begins with an ASCII character: without a mark, the other byte of its unit is 0.
            let isUTF16 = (start[0] == 0) != (start[1] == 0)
            (encoding, rest) = (isUTF16 ? .utf16(isBigEndian: start[0] == 0) : .utf8, [])
            return decode(start)
        }
    }

    /// What the last chunk left. An incomplete code unit is dropped.
    mutating func end() -> [UInt8] {
        if case .unknown = encoding { return rest }
        var text: [UInt8] = []
        writeHalf(to: &text)
        return text
    }

    private mutating func utf16(_ piece: ArraySlice<UInt8>, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = rest + piece
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            take(isBigEndian ? first << 8 | second : second << 8 | first, &text)
        }
        rest = bytes.count % 2 == 0 ? [] : [bytes[bytes.count - 1]]
        return text
    }

    private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
        if let high, UTF16.isTrailSurrogate(unit) {
            self.high = nil
            Self.write(0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(unit) - 0xdc00), to: &text)
            return
        }
        writeHalf(to: &text)
        if UTF16.isLeadSurrogate(unit) { high = unit } else { Self.write(UInt32(unit), to: &text) }
    }

    private mutating func writeHalf(to text: inout [UInt8]) {
        if let half = high { Self.write(UInt32(half), to: &text) }
        high = nil
    }

    /// Writes a code point, also one of a surrogate.
    private static func write(_ code: UInt32, to text: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | code >> shift & 0x3f) }
        switch code {
        case 0..<0x80: text.append(UInt8(code))
        case 0x80..<0x800: text += [UInt8(0xc0 | code >> 6), tail(0)]
        case 0x800..<0x10000: text += [UInt8(0xe0 | code >> 12), tail(6), tail(0)]
        default: text += [UInt8(0xf0 | code >> 18), tail(12), tail(6), tail(0)]
        }
    }
}
