internal import CTapeSockets

/// A server's side of a WebSocket: frames in, control frames out, and the heartbeat. On the loop's thread.
extension Connection: ServerSocketOwner {
    /// Answers to pings that wait for a slow peer; then only the newest are kept.
    private static let maxControls = 16

    /// Makes this connection hear of a server's socket.
    ///
    /// - Parameters:
    ///   - rest: What was read behind the request.
    ///   - leave: Counts the peer out once it is gone.
    func begin(_ socket: OpaquePointer, rest: [UInt8], leave: @escaping (_ end: ContinuousClock.Instant?) -> Void) {
        let wire = wire.value
        wire.isServer = true
        wire.leave = leave
        SocketEvents.adopt(socket, by: self)
        loop.residents.value.enter(self)
        tape_timeout(socket, 0)
        opened(socket)
        beat()
        wire.unread = rest + wire.unread
        readOn()
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        let wire = wire.value
        wire.hasHeard = true
        guard wire.unread.isEmpty, !wire.isPaused else {
            if !wire.isDeaf { wire.unread.append(contentsOf: bytes) }
            return
        }
        read(bytes, wire)
    }

    /// Reads what came while reading was paused.
    func readOn() {
        let wire = wire.value
        guard !wire.isPaused, !wire.unread.isEmpty else { return }
        var bytes = wire.unread
        wire.unread = []
        bytes.withUnsafeMutableBytes { read($0, wire) }
    }

    private func read(_ bytes: UnsafeMutableRawBufferPointer, _ wire: Wire) {
        var bytes = bytes
        while !wire.isDeaf, let event = wire.reader.next(&bytes) {
            take(event, wire)
            if wire.isPaused, !wire.isDeaf {
                wire.unread = Array(bytes) + wire.unread
                return
            }
        }
    }

    private func take(_ event: FrameReader.Event, _ wire: Wire) {
        switch event {
        case .piece(let bytes, let isFirst, let isLast, let isText):
            received(bytes, isFirst: isFirst, isLast: isLast, isText: isText)
        case .ping(let payload):
            if wire.controls.count >= Self.maxControls { wire.controls.removeFirst() }
            wire.controls.append((.pong, payload))
            wakeWriter()
        case .pong: break
        case .close(let code, let reason):
            endReading(wire)
            closeReceived(code: code, reason: reason)
            close(code: code, reason: reason)
            // It waits for an answer, and for nothing else.
            dropQueue()
            wakeWriter()
            // Not once the socket is gone: a request that its peer sends next, elsewhere, may be read before that.
            reportEnd(lost: "")
        case .fault(let code, let reason):
            endReading(wire)
            if code == 1009 { closeTooLong(reason) } else { close(code: code, reason: reason) }
        }
    }

    private func endReading(_ wire: Wire) {
        wire.isDeaf = true
        wire.isPeerDone = true
        wire.incoming = []
        wire.unread = []
    }

    // MARK: Writing

    func writePiece(_ piece: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isText: Bool) -> Bool {
        guard let socket = wire.value.socket else { return false }
        let kind = !isFirst ? FrameHead.Kind.continuation : isText ? .text : .binary
        let head = FrameHead.bytes(kind, count: piece.count, isFinal: isLast)
        return tape_write(socket, head, head.count, piece.baseAddress, piece.count)
    }

    /// Sends the control frames that wait; nil if the socket is broken, false if it is choked.
    func writeControls(_ wire: Wire, _ socket: OpaquePointer) -> Bool? {
        while let control = wire.controls.first {
            if tape_is_choked(socket) { return false }
            wire.controls.removeFirst()
            let head = FrameHead.bytes(control.kind, count: control.payload.count)
            guard tape_write(socket, head, head.count, control.payload, control.payload.count) else { return nil }
        }
        return !tape_is_choked(socket)
    }

    /// Sends the close frame, once, and ends the connection if nothing is to be waited for; false if it is broken.
    func finish(_ closing: (code: UInt16, reason: String), _ wire: Wire, _ socket: OpaquePointer) -> Bool {
        if !wire.hasClosed {
            wire.hasClosed = true
            let isBare = closing.code == 1005
            let code = [UInt8(closing.code >> 8), UInt8(closing.code & 255)]
            wire.controls.append((.close, isBare ? [] : code + closing.reason.utf8))
            guard let isOut = writeControls(wire, socket) else { return false }
            if !isOut {
                tape_want_write(socket)
                return true
            }
        }
        if wire.isPeerDone { tape_finish(socket) }
        return true
    }

    // MARK: Heartbeat

    private func beat() {
        loop.schedule(after: heartbeat.interval) { [weak self] in self?.tick() }
    }

    private func tick() {
        let wire = wire.value
        guard let socket = wire.socket else { return }
        // A peer whose pongs aren't read is not silent.
        wire.silentTicks = wire.hasHeard || wire.isPaused ? 0 : wire.silentTicks + 1
        wire.hasHeard = false
        switch heartbeat.action(silent: wire.silentTicks) {
        case .none: break
        case .ping:
            wire.controls.append((.ping, []))
            tape_want_write(socket)
        case .drop: return drop("the peer gave no sign of life")
        }
        beat()
    }
}
