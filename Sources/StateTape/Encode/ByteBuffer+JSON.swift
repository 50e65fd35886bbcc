extension ByteWriting {
    /// Appends a JSON string, unless it takes the text over its limit.
    @inline(__always)
    func append(string: String) {
        if admits(string.utf8.count) { append(quoted: string) }
    }

    /// Appends a JSON string between quotes. Escapes only what JSON requires.
    func append(quoted text: String) {
        Self.withUTF8(text) { text in
            let text = UnsafeRawBufferPointer(text)
            let isPlain = append(atMost: text.count &+ 2) { target in
                guard Self.copyPlain(text, to: target + 1) else { return 0 }
                target[0] = UInt8(ascii: "\"")
                target[text.count &+ 1] = UInt8(ascii: "\"")
                return text.count &+ 2
            }
            if !isPlain { append(escaping: text) }
        }
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
    /// - Returns: Whether no byte needs an escape.
    @inline(__always)
    private static func copyPlain(_ text: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        var index = 0
        while text.count &- index >= 8 {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if needsEscape(word) { return false }
            target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5c { return false }
            target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
        return true
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
    func append(number: some FixedWidthInteger) {
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
    func append<Number: BinaryFloatingPoint & CustomStringConvertible>(number: Number) {
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
