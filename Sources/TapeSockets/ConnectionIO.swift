internal import CTapeSockets

/// The loop's side of a ``Connection``.
final class ConnectionIO {
    /// Nil before the socket exists and once it is gone.
    var socket: OpaquePointer?
    var handler: (any ConnectionHandler)?
    /// At a server the frames are read and written here, at a client by libwebsockets.
    var isServer = false
    var isOpen = false
    var isPaused = false
    /// What was asked for last; a pause takes place at once.
    var wantsPause = false
    /// A timer runs that counts the paused peer of a client as alive; one is enough, however often reading stops.
    var isKeptAlive = false
    /// Counts the peer out at its listener, no earlier than a time.
    var leave: ((_ end: ContinuousClock.Instant?) -> Void)?
    /// When a delayed close is due.
    var heldUntil: ContinuousClock.Instant?
    /// Ends a close that the peer doesn't let through.
    var drainTimer: Scheduled?

    /// Reads the frames; at a client it holds the limit only.
    var reader: FrameReader
    /// How a connection is closed whose peer sends a longer message.
    var tooLong: (code: UInt16, reason: String?) = (1009, nil)
    /// What a server has read while it was paused.
    var unread: [UInt8] = []
    /// The pieces of a message that hasn't ended.
    var incoming: [UInt8] = []
    /// What comes from the peer no longer counts.
    var isDeaf = false
    /// The system took less than was written last.
    var isChoked = false
    /// Something came since the last tick of the heartbeat, and the ticks before without anything.
    var hasHeard = true
    var silentTicks = 0

    /// Control frames that go out before the next piece of a message.
    var controls: [(kind: FrameHead.Kind, payload: [UInt8])] = []
    /// A server's close frame is out.
    var hasClosed = false
    /// The peer's close frame is there, or no use waiting for.
    var isPeerDone = false

    /// Messages taken from the queue; those before `next` are gone, of `next` itself `offset` bytes.
    var sending: [Connection.Message] = []
    var next = 0
    var offset = 0
    /// Something went out since the handler last heard that the queue is empty; perhaps turns ago, if the socket choked.
    var owesDrained = false

    /// How it ended, once that is known.
    var ending: (code: UInt16?, reason: String)?

    init(maxMessage: Int, handler: any ConnectionHandler) {
        reader = FrameReader(limit: maxMessage)
        self.handler = handler
    }
}

/// What the socket tells.
extension Connection: SocketOwner {
    func opened(_ socket: OpaquePointer) {
        let io = io.value
        io.socket = socket
        io.isOpen = true
        if io.isPaused { tape_read(socket, false) }
        io.handler?.opened(self)
        wakeWriter()
    }

    func received(_ bytes: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isText: Bool) {
        let io = io.value
        guard !io.isDeaf, let socket = io.socket else { return }
        if io.incoming.count + bytes.count > io.reader.limit {
            io.isDeaf = true
            io.incoming = []
            return closeTooLong("a message may have \(io.reader.limit) bytes")
        }
        if isFirst, isLast {
            io.handler?.received(self, Array(bytes), isText: isText)
            return
        }
        if io.incoming.isEmpty, !io.isServer {
            io.incoming.reserveCapacity(min(bytes.count + tape_frame_rest(socket), io.reader.limit))
        }
        io.incoming.append(contentsOf: bytes)
        guard isLast else { return }
        let message = io.incoming
        io.incoming = []
        io.handler?.received(self, message, isText: isText)
    }

    func closeTooLong(_ reason: String) {
        let tooLong = io.value.tooLong
        close(code: tooLong.code, reason: tooLong.reason ?? reason)
    }

    func closeReceived(code: UInt16, reason: String) {
        if io.value.ending == nil { io.value.ending = (code, reason) }
    }

    func gone(error: String?) {
        let io = io.value
        io.socket = nil
        io.drainTimer?.cancel()
        io.leave?(io.heldUntil)
        io.leave = nil
        shared.withLock { shared in
            shared.isOver = true
            shared.queue = []
            shared.outstanding = 0
        }
        io.sending = []
        io.incoming = []
        io.unread = []
        loop.members.value.exit(self)
        let lost = io.isOpen ? "the connection was lost" : error ?? "the connection could not be made"
        reportEnd(lost: lost)
    }

    /// Tells the handler, once.
    func reportEnd(lost: String) {
        let io = io.value
        guard let handler = io.handler else { return }
        io.handler = nil
        handler.closed(self, code: io.ending?.code, reason: io.ending?.reason ?? lost)
    }
}

/// Reading, paused and not.
extension Connection {
    func pause() {
        let io = io.value
        guard !io.isPaused else { return }
        io.isPaused = true
        guard io.isOpen, let socket = io.socket else { return }
        tape_read(socket, false)
        if !io.isServer { keepAlive() }
    }

    func resume() {
        let io = io.value
        guard io.isPaused else { return }
        io.isPaused = false
        guard io.isOpen, let socket = io.socket else { return }
        tape_read(socket, true)
        if io.isServer { readOn() }
    }

    /// libwebsockets must not take a peer whose pongs aren't read for a silent one.
    private func keepAlive() {
        guard !io.value.isKeptAlive else { return }
        io.value.isKeptAlive = true
        loop.schedule(after: heartbeat.interval) {
            let io = self.io.value
            io.isKeptAlive = false
            guard io.isPaused, let socket = io.socket else { return }
            tape_confirm_alive(socket)
            self.keepAlive()
        }
    }
}
