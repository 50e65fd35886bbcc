extension ByteWriting {
    /// Appends a JSON string between quotes. Only what JSON demands is escaped.
    func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        Self.withUTF8(text) { text in
            guard let base = text.baseAddress else { return }
            var rest = UnsafeRawBufferPointer(start: base, count: text.count)
            while true {
                let plain = Self.plainBytes(of: rest)
                append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
                guard plain < rest.count else { return }
                append(escaped: rest[plain])
                rest = UnsafeRawBufferPointer(rebasing: rest[(plain &+ 1)...])
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// How many bytes at the start need no escape; looked at eight by eight.
    @inline(__always)
    private static func plainBytes(of text: UnsafeRawBufferPointer) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while text.count &- index >= 8 {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The top bit of each byte that wraps around below zero: one that was smaller than what is taken away.
            let controls = (word &- 0x20 &* ones) & ~word
            let quotes = word ^ (0x22 &* ones)
            let backslashes = word ^ (0x5c &* ones)
            let found = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
            if found & (0x80 &* ones) != 0 { break }
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

    /// Appends an integer in decimal.
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
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number
            var start = 20
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start &-= 1
                digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[start...]))
        }
    }

    /// Appends the shortest text that reads back as the same number, without a fraction where it is whole.
    /// - Parameter number: Must be finite.
    func append(number: Double) {
        if abs(number) < 0x1p53, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
            append(number: whole)
        } else {
            append(shortest: number)
        }
    }

    func append(number: Float) {
        if abs(number) < 0x1p24, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
            append(number: whole)
        } else {
            append(shortest: number)
        }
    }

    private func append(shortest number: some TextOutputStreamable) {
        var stream = NumberStream(bytes: BorrowedBytes(storage: storage))
        number.write(to: &stream)
        // Large whole numbers and -0 end in “.0”.
        if count > 2, withBytes(count - 2..<count, { $0[0] == UInt8(ascii: ".") && $0[1] == UInt8(ascii: "0") }) {
            truncate(to: count - 2)
        }
    }
}

/// What the standard library writes numbers to.
private struct NumberStream: TextOutputStream {
    let bytes: BorrowedBytes

    mutating func write(_ text: String) { bytes.append(utf8: text) }

    /// Called by the standard library instead of `write` with what it knows to be ASCII, which spares a string.
    mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(UnsafeRawBufferPointer(text)) }
}
