/// Validates UTF-8 that arrives in pieces. Pure.
struct UTF8Check {
    /// The number of missing bytes of the current character, and the valid range of the next one.
    private var needed = 0
    private var range: ClosedRange<UInt8> = 0x80...0xbf

    /// Whether the text is complete at this point.
    var isComplete: Bool { needed == 0 }

    /// False if the text can't be UTF-8, whatever follows.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if needed == 0 {
                // Fast path: most text is ASCII. Eight bytes at a time.
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

    /// Handles the first byte of a character, with RFC 3629's limits for the second.
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

extension String {
    /// Nil if the bytes are not UTF-8. (The standard library's own needs macOS 15.)
    init?(utf8 bytes: some Collection<UInt8>) {
        var check = UTF8Check()
        guard Array(bytes).withUnsafeBytes({ check.take($0) }), check.isComplete else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
