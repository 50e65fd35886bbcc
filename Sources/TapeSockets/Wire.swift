internal import CTapeSockets

/// The loop's side of a ``Connection``.
final class Wire {
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
    var patience: Scheduled?

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
        let wire = wire.value
        wire.socket = socket
        wire.isOpen = true
        if wire.isPaused { tape_read(socket, false) }
        wire.handler?.opened(self)
        wakeWriter()
    }

    func received(_ bytes: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, isText: Bool) {
        let wire = wire.value
        guard !wire.isDeaf, let socket = wire.socket else { return }
        if wire.incoming.count + bytes.count > wire.reader.limit {
            wire.isDeaf = true
            wire.incoming = []
            return closeTooLong("a message may have \(wire.reader.limit) bytes")
        }
        if isFirst, isLast {
            wire.handler?.received(self, Array(bytes), isText: isText)
            return
        }
        if wire.incoming.isEmpty, !wire.isServer {
            wire.incoming.reserveCapacity(min(bytes.count + tape_frame_rest(socket), wire.reader.limit))
        }
        wire.incoming.append(contentsOf: bytes)
        guard isLast else { return }
        let message = wire.incoming
        wire.incoming = []
        wire.handler?.received(self, message, isText: isText)
    }

    func closeTooLong(_ reason: String) {
        let tooLong = wire.value.tooLong
        close(code: tooLong.code, reason: tooLong.reason ?? reason)
    }

    func closeReceived(code: UInt16, reason: String) {
        if wire.value.ending == nil { wire.value.ending = (code, reason) }
    }

    func gone(error: String?) {
        let wire = wire.value
        wire.socket = nil
        wire.patience?.cancel()
        wire.leave?(wire.heldUntil)
        wire.leave = nil
        shared.withLock { shared in
            shared.isOver = true
            shared.queue = []
            shared.outstanding = 0
        }
        wire.sending = []
        wire.incoming = []
        wire.unread = []
        loop.residents.value.exit(self)
        let lost = wire.isOpen ? "the connection was lost" : error ?? "the connection could not be made"
        reportEnd(lost: lost)
    }

    /// Tells the handler, once.
    func reportEnd(lost: String) {
        let wire = wire.value
        guard let handler = wire.handler else { return }
        wire.handler = nil
        handler.closed(self, code: wire.ending?.code, reason: wire.ending?.reason ?? lost)
    }
}

/// Reading, paused and not.
extension Connection {
    func pause() {
        let wire = wire.value
        guard !wire.isPaused else { return }
        wire.isPaused = true
        guard wire.isOpen, let socket = wire.socket else { return }
        tape_read(socket, false)
        if !wire.isServer { keepAlive() }
    }

    func resume() {
        let wire = wire.value
        guard wire.isPaused else { return }
        wire.isPaused = false
        guard wire.isOpen, let socket = wire.socket else { return }
        tape_read(socket, true)
        if wire.isServer { readOn() }
    }

    /// libwebsockets must not take a peer whose pongs aren't read for a silent one.
    private func keepAlive() {
        guard !wire.value.isKeptAlive else { return }
        wire.value.isKeptAlive = true
        loop.schedule(after: heartbeat.interval) {
            let wire = self.wire.value
            wire.isKeptAlive = false
            guard wire.isPaused, let socket = wire.socket else { return }
            tape_confirm_alive(socket)
            self.keepAlive()
        }
    }
}
