internal import CTapeSockets
import TapeFormat

/// The part of a ``Connection`` that only the loop's thread uses.
final class ConnectionIO {
    /// Nil before the socket exists and after it is closed.
    var socket: OpaquePointer?
    var handler: (any ConnectionHandler)?
    /// A server reads and writes frames here; for a client, libwebsockets does it.
    var isServer = false
    var isOpen = false
    var isPaused = false
    /// The last request to pause or resume. A pause takes effect at once.
    var wantsPause = false
    /// A timer is running that keeps a client's paused connection alive. One is enough.
    var isKeptAlive = false
    /// Removes the peer from its listener's count, not before a given time.
    var leave: ((_ end: ContinuousClock.Instant?) -> Void)?
    /// When a delayed close is due.
    var heldUntil: ContinuousClock.Instant?
    /// Drops the connection if the peer doesn't read what is queued before a close.
    var drainTimer: Scheduled?

    /// Reads the frames; for a client it only holds the limit.
    var reader: FrameReader
    /// The close code and reason for a message that is too long.
    var tooLong: (code: UInt16, reason: String?) = (1009, nil)
    /// Bytes that a server read while reading was paused.
    var unread: [UInt8] = []
    /// The pieces of an incomplete message.
    var incoming: [UInt8] = []
    /// Who else receives a long message; nil for a client.
    var longMessages: LongMessages?
    /// A long message that arrives, or waits for its turn.
    var long: LongMessage?
    /// The handler works on a long message.
    var hasTurn = false
    /// Nothing is read until the long message is in its file, or had its turn.
    var waitsForTurn = false
    /// How the socket was closed while the connection's last message was waiting for its turn.
    var lost: String?
    /// Data from the peer is ignored.
    var ignoresInput = false
    /// The system accepted less than the last write.
    var isChoked = false
    /// Whether data arrived since the heartbeat's last tick, and the number of earlier ticks without any.
    var hasHeard = true
    var silentTicks = 0

    /// Control frames to send before the next piece of a message.
    var controls: [(kind: FrameHead.Kind, payload: [UInt8])] = []
    /// The server's close frame was sent.
    var hasClosed = false
    /// The peer's close frame has arrived, or is not expected any more.
    var isPeerDone = false

    /// Messages taken from the queue. Those before `next` are sent, and `offset` bytes of `next`.
    var sending: [Connection.Message] = []
    var next = 0
    var offset = 0
    /// Data was sent since the handler's last `drained` call; perhaps several turns ago, if the socket was choked.
    var mustReportDrained = false

    /// The HTTP answer that refused a client's connection: its status and its header `Server`.
    var answer: (status: Int, server: String)?
    /// The connection's close code and reason, once known.
    var ending: (code: UInt16?, reason: String)?

    init(maxMessage: Int, handler: any ConnectionHandler) {
        reader = FrameReader(limit: maxMessage)
        self.handler = handler
    }
}

/// The socket's events.
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
        guard !io.ignoresInput, let socket = io.socket else { return }
        if (io.long?.count ?? 0) + io.incoming.count + bytes.count > io.reader.limit {
            io.ignoresInput = true
            io.incoming = []
            io.longMessages?.leave(self)
            return closeTooLong("a message is longer than \(io.reader.limit) bytes")
        }
        if isFirst, isLast {
            io.handler?.received(self, Array(bytes), isText: isText)
            return
        }
        if io.incoming.isEmpty, !io.isServer {
            io.incoming.reserveCapacity(min(bytes.count + tape_frame_rest(socket), io.reader.limit))
        }
        io.incoming.append(contentsOf: bytes)
        if io.incoming.count > LongMessages.short || isLast && io.long != nil, let messages = io.longMessages {
            return keepLongMessage(io, in: messages, isLast: isLast, isText: isText)
        }
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

    func socketClosed(error: String?) {
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
        // A message that has arrived is passed on.
        if io.long?.isWhole == true { io.lost = lost } else { end(lost) }
    }

    func end(_ lost: String) {
        let io = io.value
        io.longMessages?.leave(self)
        io.longMessages = nil
        reportEnd(lost: lost)
    }

    /// Calls the handler's `closed`, once.
    func reportEnd(lost: String) {
        let io = io.value
        guard let handler = io.handler else { return }
        io.handler = nil
        handler.closed(self, code: io.ending?.code, reason: io.ending?.reason ?? lost)
    }
}

/// Pausing and resuming.
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
        endLongMessage(io)
        io.isPaused = false
        guard io.isOpen, let socket = io.socket else { return }
        tape_read(socket, true)
        if io.isServer { readPending() }
    }

    /// libwebsockets must not drop a peer as silent because its pongs aren't read.
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
