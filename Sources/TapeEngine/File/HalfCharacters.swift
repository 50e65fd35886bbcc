/// The halves of surrogate pairs in JSON text that were replaced by U+FFFD.
///
/// JavaScript's strings may be cut inside a character, and `JSON.stringify` then writes `\ud83d`, which no other text can
/// hold.
struct HalfCharacters {
    private(set) var count = 0
    /// The offset of the first one in bytes; nil if there is none.
    private(set) var first: Int?

    /// Adds those of another text.
    mutating func add(_ other: HalfCharacters) {
        count += other.count
        first = first ?? other.first
    }

    /// Replaces the halves in a text by as many bytes, so that all offsets stay.
    static func replace(in text: inout [UInt8]) -> HalfCharacters {
        var found = HalfCharacters()
        text.withUnsafeMutableBufferPointer { text in
            var index = 0
            while index < text.count {
                switch text[index] {
                case UInt8(ascii: "\\"): found.readEscape(&text, &index)
                // A surrogate in three bytes, as in no valid UTF-8.
                case 0xed where index + 2 < text.count && text[index + 1] >= 0xa0 && text[index + 1] < 0xc0:
                    found.add(index)
                    (text[index], text[index + 1], text[index + 2]) = (0xef, 0xbf, 0xbd)
                    index += 3
                default: index += 1
                }
            }
        }
        return found
    }

    private mutating func readEscape(_ text: inout UnsafeMutableBufferPointer<UInt8>, _ index: inout Int) {
        guard let unit = Self.unit(text, index) else {
            index += 2
            return
        }
        switch unit {
        case 0xd800..<0xdc00 where Self.unit(text, index + 6).map { 0xdc00..<0xe000 ~= $0 } ?? false: index += 12
        case 0xd800..<0xe000:
            add(index)
            for (offset, byte) in "fffd".utf8.enumerated() { text[index + 2 + offset] = byte }
            index += 6
        default: index += 6
        }
    }

    /// The code unit that an escape `\uXXXX` stands for.
    private static func unit(_ text: UnsafeMutableBufferPointer<UInt8>, _ index: Int) -> Int? {
        guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return Int(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }

    private mutating func add(_ offset: Int) {
        count += 1
        first = first ?? offset
    }
}
