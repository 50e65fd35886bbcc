internal import CTapeSockets

/// The server's side of a WebSocket: reads frames, writes control frames, and runs the heartbeat. On the loop's thread.
extension Connection: ServerSocketOwner {
    /// The most pongs queued for a slow peer; older ones are dropped.
    private static let maxControls = 16

    /// Makes this connection the owner of a server's socket.
    ///
    /// - Parameters:
    ///   - rest: Bytes that were read after the request.
    ///   - leave: Removes the peer from the listener's count once the socket is closed.
    func begin(_ socket: OpaquePointer, rest: [UInt8], leave: @escaping (_ end: ContinuousClock.Instant?) -> Void) {
        let io = io.value
        io.isServer = true
        io.leave = leave
        SocketEvents.adopt(socket, by: self)
        loop.members.value.enter(self)
        tape_timeout(socket, 0)
        opened(socket)
        beat()
        io.unread = rest + io.unread
        readPending()
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        let io = io.value
        io.hasHeard = true
        guard io.unread.isEmpty, !io.isPaused else {
            if !io.ignoresInput { io.unread.append(contentsOf: bytes) }
            return
        }
        read(bytes, io)
    }

    /// Processes bytes that were read while reading was paused.
    func readPending() {
        let io = io.value
        guard !io.isPaused, !io.unread.isEmpty else { return }
        var bytes = io.unread
        io.unread = []
        bytes.withUnsafeMutableBytes { read($0, io) }
    }

    private func read(_ bytes: UnsafeMutableRawBufferPointer, _ io: ConnectionIO) {
        var bytes = bytes
        while !io.ignoresInput, let event = io.reader.next(&bytes) {
            take(event, io)
            if io.isPaused, !io.ignoresInput {
                io.unread = Array(bytes) + io.unread
                return
            }
        }
    }

    private func take(_ event: FrameReader.Event, _ io: ConnectionIO) {
        switch event {
        case .piece(let bytes, let isFirst, let isLast, let isText):
            received(bytes, isFirst: isFirst, isLast: isLast, isText: isText)
        case .ping(let payload):
            if io.controls.count >= Self.maxControls { io.controls.removeFirst() }
            io.controls.append((.pong, payload))
            wakeWriter()
        case .pong: break
        case .close(let code, let reason):
            endReading(io)
            closeReceived(code: code, reason: reason)
            close(code: code, reason: reason)
            // The peer waits only for an answer.
            dropQueue()
            wakeWriter()
            // Reported now, not once the socket is closed: otherwise a request that the peer sends next on another
            // connection may be read first.
            reportEnd(lost: "")
        case .fault(let code, let reason):
            endReading(io)
            if code == 1009 { closeTooLong(reason) } else { close(code: code, reason: reason) }
        }
    }

    private func endReading(_ io: ConnectionIO) {
        io.ignoresInput = true
        io.isPeerDone = true
        io.longMessages?.leave(self)
        io.incoming = []
        io.unread = []
    }

    // MARK: Writing

    func writePiece(_ piece: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isText: Bool) -> Bool {
        guard let socket = io.value.socket else { return false }
        let kind = !isFirst ? FrameHead.Kind.continuation : isText ? .text : .binary
        let head = FrameHead.bytes(kind, count: piece.count, isFinal: isLast)
        return tape_write(socket, head, head.count, piece.baseAddress, piece.count)
    }

    /// Sends the queued control frames. Nil if the socket is broken, false if it is choked.
    func writeControls(_ io: ConnectionIO, _ socket: OpaquePointer) -> Bool? {
        while let control = io.controls.first {
            if tape_is_choked(socket) { return false }
            io.controls.removeFirst()
            let head = FrameHead.bytes(control.kind, count: control.payload.count)
            guard tape_write(socket, head, head.count, control.payload, control.payload.count) else { return nil }
        }
        return !tape_is_choked(socket)
    }

    /// Sends the close frame once, and ends the connection if nothing else is pending. False if the socket is broken.
    func finish(_ closing: (code: UInt16, reason: String), _ io: ConnectionIO, _ socket: OpaquePointer) -> Bool {
        if !io.hasClosed {
            io.hasClosed = true
            let isBare = closing.code == 1005
            let code = [UInt8(closing.code >> 8), UInt8(closing.code & 255)]
            io.controls.append((.close, isBare ? [] : code + closing.reason.utf8))
            guard let isOut = writeControls(io, socket) else { return false }
            if !isOut {
                tape_want_write(socket)
                return true
            }
        }
        if io.isPeerDone { tape_finish(socket) }
        return true
    }

    // MARK: Heartbeat

    private func beat() {
        loop.schedule(after: heartbeat.interval) { [weak self] in self?.tick() }
    }

    private func tick() {
        let io = io.value
        guard let socket = io.socket else { return }
        // While reading is paused, the peer's pongs aren't read, so it doesn't count as silent.
        io.silentTicks = io.hasHeard || io.isPaused ? 0 : io.silentTicks + 1
        io.hasHeard = false
        if io.waitsForTurn {
            // Its pings wait unread: an unasked pong tells the peer that the server is alive.
            io.controls.append((.pong, []))
            tape_want_write(socket)
        }
        switch heartbeat.action(silent: io.silentTicks) {
        case .none: break
        case .ping:
            io.controls.append((.ping, []))
            tape_want_write(socket)
        case .drop: return drop("the peer did not respond")
        }
        beat()
    }
}
