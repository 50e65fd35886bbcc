extension ByteWriting {
    /// Appends a JSON string between quotes. Escapes only what JSON requires.
    package func append(quoted text: String) {
        Self.withUTF8(text) { _ = append(quoting: UnsafeRawBufferPointer($0), isSearched: false) }
    }

    /// Appends a text of the app as a JSON string.
    ///
    /// - Returns: Whether it may name a secret: it has a sign that may separate a name and a value, or a character to
    ///   escape, or it may begin with `Bearer` or `Basic`. Most texts have nothing of it.
    @inline(__always)
    package func append(text: String) -> Bool {
        var mayNameSecret = false
        Self.withUTF8(text) { mayNameSecret = append(quoting: UnsafeRawBufferPointer($0), isSearched: true) }
        return mayNameSecret
    }

    @inline(__always)
    private func append(quoting text: UnsafeRawBufferPointer, isSearched: Bool) -> Bool {
        var signs: UInt64 = 0
        let isPlain = append(atMost: text.count &+ 2) { target in
            guard Self.copyPlain(text, to: target + 1, isSearched: isSearched, &signs) else { return 0 }
            target[0] = UInt8(ascii: "\"")
            target[text.count &+ 1] = UInt8(ascii: "\"")
            return text.count &+ 2
        }
        guard isPlain else {
            append(escaping: text)
            return true
        }
        return isSearched && (signs & 0x8080_8080_8080_8080 != 0 || text.count > 8 && text[0] | 0x20 == 0x62)
    }

    @inline(never)
    private func append(escaping text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var rest = text
        while true {
            let plain = Self.plainBytes(of: rest)
            append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
            guard plain < rest.count else { break }
            append(escaped: rest[plain])
            rest = UnsafeRawBufferPointer(rebasing: rest[(plain &+ 1)...])
        }
        append(UInt8(ascii: "\""))
    }

    /// Copies a text up to the first byte that needs an escape.
    /// - Parameter signs: Collects ``signs(in:)``.
    /// - Returns: Whether no byte needs an escape.
    @inline(__always)
    private static func copyPlain(
        _ text: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>, isSearched: Bool, _ signs: inout UInt64
    ) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        /// Copies some bytes if none needs an escape.
        @inline(__always)
        func copy<Word: FixedWidthInteger & BitwiseCopyable>(at index: Int, _: Word.Type) -> Bool {
            let bytes = text.loadUnaligned(fromByteOffset: index, as: Word.self)
            target.storeBytes(of: bytes, toByteOffset: index, as: Word.self)
            // Spaces in the place of the bytes that a shorter word lacks.
            let word = UInt64(truncatingIfNeeded: bytes) | 0x2020_2020_2020_2020 & ~UInt64(truncatingIfNeeded: Word.max)
            if isSearched { signs |= Self.signs(in: word) }
            return !needsEscape(word)
        }
        // The last bytes may overlap those before.
        if text.count >= 8 {
            var index = 0
            while index < text.count &- 8 {
                guard copy(at: index, UInt64.self) else { return false }
                index &+= 8
            }
            return copy(at: text.count &- 8, UInt64.self)
        }
        if text.count >= 4 { return copy(at: 0, UInt32.self) && copy(at: text.count &- 4, UInt32.self) }
        for index in 0..<text.count where !copy(at: index, UInt8.self) { return false }
        return true
    }

    /// The top bit of each byte that is one of `:;<=>(%`; other bits are of no use.
    @inline(__always)
    private static func signs(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7f &* ones)
        let (round, percent) = (word ^ (0x28 &* ones), word ^ (0x25 &* ones))
        return (0xbe &* ones &- low) & ~word & (low &+ 0x46 &* ones) | (round &- ones) & ~round
            | (percent &- ones) & ~percent
    }

    /// Whether one of eight bytes needs an escape.
    @inline(__always)
    private static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The top bit of each byte that wraps around below zero: the byte was smaller than the subtrahend.
        let controls = (word &- 0x20 &* ones) & ~word
        let quotes = word ^ (0x22 &* ones)
        let backslashes = word ^ (0x5c &* ones)
        let found = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return found & (0x80 &* ones) != 0
    }

    /// How many bytes at the start need no escape.
    private static func plainBytes(of text: UnsafeRawBufferPointer) -> Int {
        var index = 0
        while text.count &- index >= 8 {
            if needsEscape(text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { break }
            index &+= 8
        }
        while index < text.count, text[index] >= 0x20, text[index] != 0x22, text[index] != 0x5c { index &+= 1 }
        return index
    }

    private func append(escaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5c: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0c: append(UInt8(ascii: "f"))
        case 0x0d: append(UInt8(ascii: "r"))
        default:
            append(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    @inline(__always)
    package func append(number: some FixedWidthInteger) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        if let magnitude = UInt64(exactly: magnitude) {
            append(digits: magnitude)
        } else {
            // Wider than 64 bits, and rare.
            append(utf8: String(magnitude))
        }
    }

    private func append(digits number: UInt64) {
        var count = 1
        var bound: UInt64 = 10
        while count < 20, number >= bound {
            count &+= 1
            bound &*= 10
        }
        append(count) { target in
            var rest = number
            var index = count
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                index &-= 1
                target[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while index > 0
        }
    }

    /// Appends the shortest text that reads back as the same number, without a fraction if it is whole.
    /// - Parameter number: Must be finite.
    package func append<Number: BinaryFloatingPoint & CustomStringConvertible>(number: Number) {
        // A larger whole number may stand for several.
        if let whole = Int64(exactly: number), whole.magnitude >> UInt64(Number.significandBitCount + 1) == 0,
            whole != 0 || number.sign == .plus
        {
            append(number: whole)
        } else {
            let text = number.description
            append(utf8: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
    }
}
