internal import CTapeSockets
import TapeFormat

/// Writes a connection's messages. On the loop's thread.
extension Connection {
    /// The most bytes written to one connection before the others get their turn.
    private static let turn = 1 << 20
    /// How long a peer may take to read the queue before a close.
    private static let drainTimeout = Duration.seconds(10)

    func wakeWriter() {
        let io = io.value
        guard io.isOpen, let socket = io.socket else { return }
        tape_want_write(socket)
    }

    func writable() -> Bool {
        let io = io.value
        guard let socket = io.socket else { return false }
        // The socket is writable again, so the peer has read something.
        if io.isChoked { io.hasHeard = true }
        io.isChoked = false
        if io.isServer {
            guard let isReady = writeControls(io, socket) else { return false }
            if !isReady {
                tape_want_write(socket)
                return true
            }
        }
        var written = 0
        while refill(io) {
            while io.next < io.sending.count {
                guard let count = writeChunk(io, socket) else { return false }
                written += count
                io.mustReportDrained = true
                io.isChoked = tape_is_choked(socket)
                if io.isChoked || written >= Self.turn {
                    settle(written)
                    tape_want_write(socket)
                    return true
                }
            }
        }
        settle(written)
        if let closing = shared.withLock({ $0.closing }) {
            return sendClose(closing, io, socket)
        }
        if io.mustReportDrained {
            io.mustReportDrained = false
            io.handler?.drained(self)
        }
        return true
    }

    /// Moves the queue to `sending`; false if it is empty.
    private func refill(_ io: ConnectionIO) -> Bool {
        guard io.next == io.sending.count else { return true }
        io.sending.removeAll(keepingCapacity: true)
        io.next = 0
        return shared.withLock { shared in
            swap(&shared.queue, &io.sending)
            shared.isAwake = !io.sending.isEmpty
            return shared.isAwake
        }
    }

    /// Returns nil if the socket is broken.
    private func writeChunk(_ io: ConnectionIO, _ socket: OpaquePointer) -> Int? {
        let message = io.sending[io.next]
        let start = io.offset
        let end = min(start + tape_chunk, message.bytes.count)
        let isLast = end == message.bytes.count
        let isWritten = message.bytes.withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if io.isServer { return writePiece(chunk, isFirst: start == 0, isLast: isLast, isText: message.isText) }
            return tape_send(socket, chunk.baseAddress, chunk.count, start == 0, isLast, message.isText)
        }
        guard isWritten else { return nil }
        io.offset = isLast ? 0 : end
        if isLast {
            io.sending[io.next].bytes = []
            io.next += 1
        }
        return end - start
    }

    private func settle(_ written: Int) {
        shared.withLock { $0.outstanding = max(0, $0.outstanding - written) }
    }

    func beginClosing() {
        let io = io.value
        // Messages that were queued before the connection opened are sent before the close.
        if !io.isOpen, shared.withLock({ $0.queue.isEmpty }) { return drop("closed before it was open") }
        wakeWriter()
        io.drainTimer = loop.schedule(after: Self.drainTimeout) {
            self.drop("the peer did not read the queued messages in time")
        }
    }

    /// Returns false if the socket must be closed.
    private func sendClose(
        _ closing: (code: UInt16, reason: String), _ io: ConnectionIO, _ socket: OpaquePointer
    ) -> Bool {
        let reason = closing.reason.truncated(toBytes: 123)
        if io.ending == nil { io.ending = (closing.code, reason) }
        io.longMessages?.leave(self)
        // The peer's close frame must be read.
        resume()
        tape_read(socket, true)
        if io.isServer { return finish((closing.code, reason), io, socket) }
        reason.withCString { tape_set_close(socket, closing.code, $0, reason.utf8.count) }
        return false
    }

    /// Drops the queued messages that the peer won't read any more.
    func dropQueue() {
        let io = io.value
        // Except the rest of a started message: the next frame would be read as a part of it.
        io.sending = []
        io.next = 0
        io.offset = 0
        shared.withLock { shared in
            shared.queue = []
            shared.outstanding = 0
        }
    }

    func drop(_ reason: String) {
        let io = io.value
        guard let socket = io.socket else { return }
        if io.ending == nil { io.ending = (nil, reason) }
        tape_drop(socket)
    }
}

extension String {
    /// The longest prefix of whole characters that fits. A close reason has at most 123 bytes.
    fileprivate func truncated(toBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        var text = self
        while text.utf8.count > count - 3 { text.removeLast() }
        return text + "…"
    }
}
