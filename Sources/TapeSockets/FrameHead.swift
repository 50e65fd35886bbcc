/// Builds the header of a server's WebSocket frame.
enum FrameHead {
    enum Kind: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    static func bytes(_ kind: Kind, count: Int, isFinal: Bool = true) -> [UInt8] {
        let first = kind.rawValue | (isFinal ? 0x80 : 0)
        if count < 126 { return [first, UInt8(count)] }
        if count < 1 << 16 { return [first, 126, UInt8(count >> 8), UInt8(count & 255)] }
        return [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
}
