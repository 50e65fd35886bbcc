/// One key, as a terminal in raw mode sends it.
enum Key: Equatable, Sendable {
    case character(Character)
    case enter, backspace, delete, left, right, up, down, home, lineEnd, eraseLine, eraseWord
    case interrupt
    case end
    case other

    /// The first key and its number of bytes; nil if the key is incomplete.
    static func first(in bytes: [UInt8]) -> (Key, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1b: return escape(bytes)
        case 0x0d, 0x0a: return (.enter, 1)
        case 0x7f, 0x08: return (.backspace, 1)
        case 0x01: return (.home, 1)
        case 0x03: return (.interrupt, 1)
        case 0x04: return (.end, 1)
        case 0x05: return (.lineEnd, 1)
        case 0x15: return (.eraseLine, 1)
        case 0x17: return (.eraseWord, 1)
        case 0x09: return (.character(" "), 1)
        case ..<0x20: return (.other, 1)
        case ..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
        default: return scalar(bytes, first)
        }
    }

    private static func scalar(_ bytes: [UInt8], _ first: UInt8) -> (Key, Int)? {
        let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first else {
            return (.other, 1)
        }
        return (.character(character), length)
    }

    /// Parses an escape sequence: `ESC [ … letter`, `ESC [ … ~` or `ESC O letter`.
    private static func escape(_ bytes: [UInt8]) -> (Key, Int)? {
        guard bytes.count > 1 else { return nil }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return (.other, 1) }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
            return bytes.count > 16 ? (.other, bytes.count) : nil
        }
        let key: Key
        switch String(decoding: bytes[2...end], as: UTF8.self) {
        case "A": key = .up
        case "B": key = .down
        case "C": key = .right
        case "D": key = .left
        case "H", "1~": key = .home
        case "F", "4~": key = .lineEnd
        case "3~": key = .delete
        default: key = .other
        }
        return (key, end + 1)
    }
}
