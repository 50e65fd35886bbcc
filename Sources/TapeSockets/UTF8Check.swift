/// Checks text that comes in pieces. Pure.
struct UTF8Check {
    /// Bytes that the character still needs, and what the next of them may be.
    private var needed = 0
    private var range: ClosedRange<UInt8> = 0x80...0xbf

    /// Whether the text may end here.
    var isComplete: Bool { needed == 0 }

    /// False if it is no UTF-8, whatever follows.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if needed == 0 {
                // Most text is ASCII, eight bytes at a time.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { return true }
                guard begin(bytes[index]) else { return false }
            } else {
                guard range.contains(bytes[index]) else { return false }
                needed -= 1
                range = 0x80...0xbf
            }
            index += 1
        }
        return true
    }

    /// The first byte of a character, with RFC 3629's exceptions for the second.
    private mutating func begin(_ byte: UInt8) -> Bool {
        range = 0x80...0xbf
        switch byte {
        case 0...0x7f: return true
        case 0xc2...0xdf: needed = 1
        case 0xe0...0xef: needed = 2
        case 0xf0...0xf4: needed = 3
        default: return false
        }
        switch byte {
        case 0xe0: range = 0xa0...0xbf
        case 0xed: range = 0x80...0x9f
        case 0xf0: range = 0x90...0xbf
        case 0xf4: range = 0x80...0x8f
        default: break
        }
        return true
    }
}
