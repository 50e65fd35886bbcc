/// Reads a client's WebSocket frames (RFC 6455). Pure.
struct FrameReader {
    enum Event {
        /// A piece of a message, unmasked. Only the first or last piece may be empty.
        case piece(UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isText: Bool)
        case ping([UInt8])
        case pong
        /// The peer closes the connection. A close frame without a code counts as 1005.
        case close(code: UInt16, reason: String)
        /// The peer breaks the protocol; the reader can't continue.
        case fault(code: UInt16, reason: String)
    }

    private enum Kind {
        case message, close, ping, pong
    }

    private struct Frame {
        var kind: Kind
        var isFinal: Bool
        var mask: UInt32
        /// Bytes of the payload that have not arrived yet.
        var rest: Int
    }

    /// Bytes of the longest accepted message.
    var limit: Int
    private var head: [UInt8] = []
    private var frame: Frame?
    private var control: [UInt8] = []
    /// A message has started and not ended.
    private var isInMessage = false
    /// No piece of the message was returned yet.
    private var isFirst = true
    private var isText = false
    private var text = UTF8Check()
    /// Bytes of the message so far, including those announced by the current frame.
    private var length = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the next event in `bytes` and moves `bytes` behind it; nil once they are used up. Unmasks in place.
    mutating func next(_ bytes: inout UnsafeMutableRawBufferPointer) -> Event? {
        while true {
            if frame == nil {
                guard takeHead(&bytes) else { return nil }
                if let fault = readHead() { return fault }
            }
            guard var frame else { continue }
            let count = min(frame.rest, bytes.count)
            if count == 0, frame.rest > 0 { return nil }
            let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            frame.rest -= count
            frame.mask = Self.unmask(payload, with: frame.mask)
            self.frame = frame.rest == 0 ? nil : frame
            if let event = frame.kind == .message ? piece(payload, frame) : controlled(payload, frame) { return event }
        }
    }

    // MARK: Head

    /// Collects the bytes of a frame's header; false if some are missing.
    private mutating func takeHead(_ bytes: inout UnsafeMutableRawBufferPointer) -> Bool {
        while true {
            let wanted = head.count < 2 ? 2 : Self.headCount(head[1])
            if head.count == wanted { return true }
            guard let byte = bytes.first else { return false }
            head.append(byte)
            bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[1...])
            // An unmasked header has no mask to wait for.
            if head.count == 2, byte & 0x80 == 0 { return true }
        }
    }

    private static func headCount(_ second: UInt8) -> Int {
        switch second & 0x7f {
        case 126: 2 + 2 + 4
        case 127: 2 + 8 + 4
        default: 2 + 4
        }
    }

    /// Starts a frame, or returns the fault in its header.
    private mutating func readHead() -> Event? {
        defer { head.removeAll(keepingCapacity: true) }
        guard head[0] & 0x70 == 0 else { return .fault(code: 1002, reason: "a reserved bit is set") }
        guard head[1] & 0x80 != 0 else { return .fault(code: 1002, reason: "a client must mask its frames") }
        let isFinal = head[0] & 0x80 != 0
        let opcode = head[0] & 0x0f
        let lengths = head[2..<head.count - 4]
        let count = lengths.isEmpty ? UInt64(head[1] & 0x7f) : lengths.reduce(0) { $0 << 8 | UInt64($1) }
        let least: UInt64 = lengths.isEmpty ? 0 : lengths.count == 2 ? 126 : 1 << 16
        guard count >= least else { return .fault(code: 1002, reason: "a frame's length has more bytes than it needs") }
        // In the byte order of the memory.
        let mask = head.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if opcode >= 8 {
            guard isFinal, count <= 125 else {
                return .fault(code: 1002, reason: "a control frame is too long or fragmented")
            }
            let kinds: [UInt8: Kind] = [8: .close, 9: .ping, 10: .pong]
            guard let kind = kinds[opcode] else { return .fault(code: 1002, reason: "opcode \(opcode) is not known") }
            frame = Frame(kind: kind, isFinal: true, mask: mask, rest: Int(count))
            return nil
        }
        guard opcode <= 2 else { return .fault(code: 1002, reason: "opcode \(opcode) is not known") }
        guard (opcode == 0) == isInMessage else {
            return .fault(
                code: 1002,
                reason: isInMessage ? "a message starts inside another one" : "a continuation without a message")
        }
        if !isInMessage {
            isText = opcode == 1
            isFirst = true
            text = UTF8Check()
            length = 0
        }
        guard count <= UInt64(max(0, limit - length)) else {
            return .fault(code: 1009, reason: "a message is longer than \(limit) bytes")
        }
        length += Int(count)
        isInMessage = !isFinal
        frame = Frame(kind: .message, isFinal: isFinal, mask: mask, rest: Int(count))
        return nil
    }

    // MARK: Payload

    private mutating func piece(_ payload: UnsafeMutableRawBufferPointer, _ frame: Frame) -> Event? {
        let isLast = frame.isFinal && frame.rest == 0
        let bytes = UnsafeRawBufferPointer(payload)
        if isText, !text.take(bytes) || isLast && !text.isComplete {
            return .fault(code: 1007, reason: "a text message is not UTF-8")
        }
        // A fragment may be empty.
        guard isLast || !bytes.isEmpty else { return nil }
        defer { isFirst = false }
        return .piece(bytes, isFirst: isFirst, isLast: isLast, isText: isText)
    }

    private mutating func controlled(_ payload: UnsafeMutableRawBufferPointer, _ frame: Frame) -> Event? {
        control.append(contentsOf: payload)
        guard frame.rest == 0 else { return nil }
        let bytes = control
        control = []
        switch frame.kind {
        case .ping: return .ping(bytes)
        case .close: return Self.close(bytes)
        case .pong, .message: return .pong
        }
    }

    private static func close(_ payload: [UInt8]) -> Event {
        if payload.isEmpty { return .close(code: 1005, reason: "") }
        let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        guard payload.count > 1, isCode(code) else { return .fault(code: 1002, reason: "the close code is not valid") }
        guard let reason = String(utf8: payload.dropFirst(2)) else {
            return .fault(code: 1007, reason: "a close reason is not UTF-8")
        }
        return .close(code: code, reason: reason)
    }

    /// Whether a peer may send the code: RFC 6455's and registered ones, and those of libraries and applications.
    private static func isCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// - Returns: The mask for the bytes that follow.
    private static func unmask(_ bytes: UnsafeMutableRawBufferPointer, with mask: UInt32) -> UInt32 {
        guard mask != 0 else { return 0 }
        let little = mask.littleEndian
        let wide = UInt64(little) << 32 | UInt64(little)
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: mask >> (8 * UInt32(index & 3)))
            index += 1
        }
        let turn = UInt32(bytes.count & 3) * 8
        return turn == 0 ? mask : mask >> turn | mask << (32 - turn)
    }
}
