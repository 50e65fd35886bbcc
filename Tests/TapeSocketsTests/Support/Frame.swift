/// A WebSocket frame as a client sends it.
enum Frame {
    static func bytes(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0,
        mask: [UInt8]? = [0x11, 0xa2, 0x33, 0xc4]
    ) -> [UInt8] {
        let bit: UInt8 = mask == nil ? 0 : 0x80
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        if payload.count < 126 {
            bytes.append(bit | UInt8(payload.count))
        } else if payload.count < 1 << 16 {
            bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        } else {
            bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }
}
