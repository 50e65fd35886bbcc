#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The range of a string in the source, between its quotes.
struct StringToken {
    let range: Range<Int>
    let hasEscapes: Bool

    func text(in bytes: UnsafeBufferPointer<UInt8>) -> String {
        let source = UnsafeBufferPointer(rebasing: bytes[range])
        return hasEscapes ? StringToken.unescape(source) : String(decoding: source, as: UTF8.self)
    }

    func isSame(as other: StringToken, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if hasEscapes || other.hasEscapes { return text(in: bytes).hasSameUTF8(as: other.text(in: bytes)) }
        guard range.count == other.range.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + range.lowerBound, base + other.range.lowerBound, range.count) == 0
    }

    /// Whether the token equals a text, without allocating a string.
    func isSame(as name: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if hasEscapes { return text(in: bytes).utf8.elementsEqual(name) }
        guard range.count == name.count, let base = bytes.baseAddress else { return false }
        return name.baseAddress.map { memcmp(base + range.lowerBound, $0, range.count) == 0 } ?? true
    }

    func isSame(as name: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isSame(as: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), in: bytes)
    }

    /// Decodes the escapes of a validated string.
    private static func unescape(_ source: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            guard source[index] == UInt8(ascii: "\\") else {
                text.append(source[index])
                index += 1
                continue
            }
            let escaped = source[index + 1]
            index += 2
            switch escaped {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var code = hex(source, index)
                index += 4
                if 0xd800..<0xdc00 ~= code {
                    code = 0x10000 + (code - 0xd800) << 10 + (hex(source, index + 2) - 0xdc00)
                    index += 6
                }
                if let scalar = Unicode.Scalar(code) { text.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            default: text.append(escaped)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func hex(_ source: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt32 {
        (index..<index + 4).reduce(0) { $0 << 4 | UInt32(hexDigit(source[$1]) ?? 0) }
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A key in the source, for a `switch` over names.
struct Key {
    let token: StringToken
    let bytes: UnsafeBufferPointer<UInt8>

    static func ~= (name: StaticString, key: Key) -> Bool { key.token.isSame(as: name, in: key.bytes) }
}

extension Reader {
    /// Validates a string with its quotes.
    mutating func string() throws(FormatError) -> StringToken {
        let opening = position
        position += 1
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            skipPlain()
            guard position < bytes.count else { break }
            let byte = bytes[position]
            if byte >= 0x80 {
                try scalar()
            } else if byte == UInt8(ascii: "\"") {
                position += 1
                return StringToken(range: start..<position - 1, hasEscapes: hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try escape()
            } else if byte < 0x20 {
                throw error("a control character in a string must be escaped")
            } else {
                position += 1
            }
        }
        throw error("a string has no end", at: opening)
    }

    /// Skips ASCII characters that are neither quotes nor escapes, eight at a time.
    private mutating func skipPlain() {
        guard let base = bytes.baseAddress else { return }
        let ones: UInt64 = 0x0101_0101_0101_0101
        /// The high bit of each byte of a word that is zero.
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
            let quotes = zeros(word ^ (ones &* UInt64(UInt8(ascii: "\""))))
            let escapes = zeros(word ^ (ones &* UInt64(UInt8(ascii: "\\"))))
            let control = word &- ones &* 0x20
            let found = (word | quotes | escapes | control) & (ones &* 0x80)
            // Bits after the first match may be false positives; only the first counts.
            guard found == 0 else {
                position += found.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
    }

    private mutating func escape() throws(FormatError) {
        let start = position
        guard position + 1 < bytes.count else { throw error("a string has no end") }
        position += 2
        switch bytes[position - 1] {
        case UInt8(ascii: "u"):
            let code = try hexDigits()
            switch code {
            case 0xd800..<0xdc00:
                guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                    bytes[position + 1] == UInt8(ascii: "u")
                else { throw error("a lone surrogate", at: start) }
                position += 2
                guard 0xdc00..<0xe000 ~= (try hexDigits()) else { throw error("a lone surrogate", at: start) }
            case 0xdc00..<0xe000: throw error("a lone surrogate", at: start)
            default: break
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default: throw error("an escape that JSON doesn't have", at: start)
        }
    }

    private mutating func hexDigits() throws(FormatError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ StringToken.hexDigit($0) != nil })
        else { throw error("“\\u” needs four hexadecimal digits") }
        position += 4
        return StringToken.hex(bytes, position - 4)
    }

    /// Validates one scalar outside of ASCII: rejects overlong forms, surrogates, and values above U+10FFFF.
    private mutating func scalar() throws(FormatError) {
        let first = bytes[position]
        let (count, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xc2...0xdf: (2, 0x80...0xbf)
            case 0xe0: (3, 0xa0...0xbf)
            case 0xed: (3, 0x80...0x9f)
            case 0xe1...0xef: (3, 0x80...0xbf)
            case 0xf0: (4, 0x90...0xbf)
            case 0xf1...0xf3: (4, 0x80...0xbf)
            case 0xf4: (4, 0x80...0x8f)
            default: throw error("invalid UTF-8")
            }
        guard position + count <= bytes.count, second ~= bytes[position + 1],
            bytes[(position + 2)..<(position + count)].allSatisfy({ 0x80...0xbf ~= $0 })
        else { throw error("invalid UTF-8") }
        position += count
    }

    /// Validates a number.
    ///
    /// - Returns: Its range.
    mutating func number() throws(FormatError) -> Range<Int> {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        guard let first = next, isDigit(first) else {
            throw error(
                start == position && position == bytes.count
                    ? "the text ends where a JSON value is expected" : "a JSON value is expected", at: start)
        }
        var digits = 1
        position += 1
        if first != UInt8(ascii: "0") { digits += skipDigits() }
        if next == UInt8(ascii: ".") {
            position += 1
            let fraction = skipDigits()
            guard fraction > 0 else { throw error("a digit is expected after the decimal point") }
            digits += fraction
        }
        guard digits <= Limits.digits else { throw error("a number of more than \(Limits.digits) digits", at: start) }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            let exponentStart = position
            guard skipDigits() > 0 else { throw error("a digit is expected in the exponent") }
            let exponent = bytes[exponentStart..<position].drop { $0 == UInt8(ascii: "0") }
            guard exponent.count <= 4 else {
                throw error("an exponent beyond ±\(Limits.exponent)", at: start)
            }
        }
        return start..<position
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = next, isDigit(byte) { position += 1 }
        return position - start
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
