internal import CTapeSockets

/// The loop's side of a ``Connection``.
final class Wire {
    /// Nil before the socket exists and once it is gone.
    var socket: OpaquePointer?
    var handler: (any ConnectionHandler)?
    var isOpen = false
    var isPaused = false
    /// A timer runs that counts the paused peer as alive; one is enough, however often reading stops.
    var isKeptAlive = false
    /// Ends a close that the peer doesn't let through.
    var patience: Scheduled?

    /// The pieces of a message that hasn't ended.
    var incoming: [UInt8] = []
    var isTooLong = false

    /// Messages taken from the queue; those before `next` are gone, of `next` itself `offset` bytes.
    var sending: [Connection.Message] = []
    var next = 0
    var offset = 0
    /// Something went out since the handler last heard that the queue is empty; perhaps turns ago, if the socket choked.
    var owesDrained = false

    /// How it ended, once that is known.
    var ending: (code: UInt16?, reason: String)?

    init(handler: any ConnectionHandler) {
        self.handler = handler
    }
}

/// What the socket tells.
extension Connection: SocketOwner {
    /// Makes this connection hear of a server's socket.
    func take(_ socket: OpaquePointer) {
        wire.value.socket = socket
        SocketEvents.adopt(socket, by: self)
        loop.residents.value.enter(self)
    }

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
        guard !wire.isTooLong, let socket = wire.socket else { return }
        if wire.incoming.count + bytes.count > maxMessage {
            wire.isTooLong = true
            wire.incoming = []
            return close(code: 1009, reason: "a message may have \(maxMessage) bytes")
        }
        if isFirst, isLast {
            wire.handler?.received(self, Array(bytes), isText: isText)
            return
        }
        if wire.incoming.isEmpty {
            let expected = bytes.count + tape_frame_rest(socket)
            wire.incoming.reserveCapacity(min(expected, maxMessage))
        }
        wire.incoming.append(contentsOf: bytes)
        guard isLast else { return }
        let message = wire.incoming
        wire.incoming = []
        wire.handler?.received(self, message, isText: isText)
    }

    func closeReceived(code: UInt16, reason: String) {
        if wire.value.ending == nil { wire.value.ending = (code, reason) }
    }

    func gone(error: String?) {
        let wire = wire.value
        wire.socket = nil
        wire.patience?.cancel()
        shared.withLock { shared in
            shared.isOver = true
            shared.queue = []
            shared.outstanding = 0
        }
        wire.sending = []
        wire.incoming = []
        loop.residents.value.exit(self)
        guard let handler = wire.handler else { return }
        wire.handler = nil
        let lost = wire.isOpen ? "the connection was lost" : error ?? "the connection could not be made"
        handler.closed(self, code: wire.ending?.code, reason: wire.ending?.reason ?? lost)
    }
}
