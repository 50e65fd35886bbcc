internal import CTapeSockets

/// How a connection writes. On the loop's thread.
extension Connection {
    /// Bytes written to one connection before the others have their turn.
    private static let turn = 1 << 20
    /// How long a peer has to take what is queued before a close.
    private static let patience = Duration.seconds(10)

    func wakeWriter() {
        let wire = wire.value
        guard wire.isOpen, let socket = wire.socket else { return }
        tape_want_write(socket)
    }

    func writable() -> Bool {
        let wire = wire.value
        guard let socket = wire.socket else { return false }
        // The peer has read something.
        if wire.isChoked { wire.hasHeard = true }
        wire.isChoked = false
        if wire.isServer {
            guard let isReady = writeControls(wire, socket) else { return false }
            if !isReady {
                tape_want_write(socket)
                return true
            }
        }
        var written = 0
        while refill(wire) {
            while wire.next < wire.sending.count {
                guard let count = writeChunk(wire, socket) else { return false }
                written += count
                wire.owesDrained = true
                wire.isChoked = tape_is_choked(socket)
                if wire.isChoked || written >= Self.turn {
                    settle(written)
                    tape_want_write(socket)
                    return true
                }
            }
        }
        settle(written)
        if let closing = shared.withLock({ $0.closing }) {
            return sendClose(closing, wire, socket)
        }
        if wire.owesDrained {
            wire.owesDrained = false
            wire.handler?.drained(self)
        }
        return true
    }

    /// Takes what is queued; false if there is nothing.
    private func refill(_ wire: Wire) -> Bool {
        guard wire.next == wire.sending.count else { return true }
        wire.sending.removeAll(keepingCapacity: true)
        wire.next = 0
        return shared.withLock { shared in
            swap(&shared.queue, &wire.sending)
            shared.isAwake = !wire.sending.isEmpty
            return shared.isAwake
        }
    }

    /// Nil if the socket is broken.
    private func writeChunk(_ wire: Wire, _ socket: OpaquePointer) -> Int? {
        let message = wire.sending[wire.next]
        let start = wire.offset
        let end = min(start + tape_chunk, message.bytes.count)
        let isLast = end == message.bytes.count
        let isWritten = message.bytes.withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if wire.isServer { return writePiece(chunk, isFirst: start == 0, isLast: isLast, isText: message.isText) }
            return tape_send(socket, chunk.baseAddress, chunk.count, start == 0, isLast, message.isText)
        }
        guard isWritten else { return nil }
        wire.offset = isLast ? 0 : end
        if isLast {
            wire.sending[wire.next].bytes = []
            wire.next += 1
        }
        return end - start
    }

    private func settle(_ written: Int) {
        shared.withLock { $0.outstanding = max(0, $0.outstanding - written) }
    }

    func beginClosing() {
        let wire = wire.value
        // What was queued before the connection opened goes out first, too.
        if !wire.isOpen, shared.withLock({ $0.queue.isEmpty }) { return drop("closed before it was open") }
        wakeWriter()
        wire.patience = loop.schedule(after: Self.patience) {
            self.drop("the peer did not take what was queued before the close")
        }
    }

    /// False if the socket is to be closed.
    private func sendClose(
        _ closing: (code: UInt16, reason: String), _ wire: Wire, _ socket: OpaquePointer
    ) -> Bool {
        var reason = closing.reason
        while reason.utf8.count > 123 { reason.removeLast() }
        if wire.ending == nil { wire.ending = (closing.code, reason) }
        // The peer's answer has to be read.
        resume()
        tape_read(socket, true)
        if wire.isServer { return finish((closing.code, reason), wire, socket) }
        reason.withCString { tape_set_close(socket, closing.code, $0, reason.utf8.count) }
        return false
    }

    /// Lets go of what no peer waits for any more.
    func dropQueue() {
        let wire = wire.value
        // The rest of a message that has begun would be taken for part of another.
        wire.sending = []
        wire.next = 0
        wire.offset = 0
        shared.withLock { shared in
            shared.queue = []
            shared.outstanding = 0
        }
    }

    func drop(_ reason: String) {
        let wire = wire.value
        guard let socket = wire.socket else { return }
        if wire.ending == nil { wire.ending = (nil, reason) }
        tape_drop(socket)
    }
}
