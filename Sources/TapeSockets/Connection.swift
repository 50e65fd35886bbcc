internal import CTapeSockets

/// One WebSocket connection, of a server or of a client. Every method may be called from any thread.
package final class Connection: Sendable {
    struct Message {
        var bytes: [UInt8]
        var isText: Bool
    }

    /// What callers on any thread and the loop share.
    struct Shared {
        var queue: [Message] = []
        var outstanding = 0
        var closing: (code: UInt16, reason: String)?
        /// The loop knows that there is something to write.
        var isAwake = false
        var isOver = false
    }

    /// The other end's numeric address, or of a client the host and port it was asked to reach.
    package let peer: String
    let loop: EventLoop
    let maxOutstanding: Int
    let heartbeat: Heartbeat
    let shared = Locked(Shared())
    let io: LoopBound<ConnectionIO>

    init(
        on loop: EventLoop, peer: String, maxMessage: Int, maxOutstanding: Int, heartbeat: Heartbeat,
        handler: any ConnectionHandler
    ) {
        self.loop = loop
        self.peer = peer
        self.maxOutstanding = maxOutstanding
        self.heartbeat = heartbeat
        io = LoopBound(ConnectionIO(maxMessage: maxMessage, handler: handler))
    }

    /// Queues a message, in the order of each thread's calls. Ignored once the connection is closing or closed. Past the
    /// bound of what may wait, the connection is dropped.
    package func send(_ message: [UInt8], isText: Bool = false) {
        let (isFirst, isTooMuch) = shared.withLock { shared -> (Bool, Bool) in
            guard !shared.isOver, shared.closing == nil else { return (false, false) }
            guard shared.outstanding + message.count <= maxOutstanding else {
                shared.isOver = true
                return (false, true)
            }
            shared.queue.append(Message(bytes: message, isText: isText))
            shared.outstanding += message.count
            defer { shared.isAwake = true }
            return (!shared.isAwake, false)
        }
        if isFirst { loop.execute { self.wakeWriter() } }
        if isTooMuch { loop.execute { self.drop("the peer reads too slowly") } }
    }

    /// Bytes of the messages that are queued and not yet with the system.
    package var outstanding: Int { shared.withLock { $0.outstanding } }

    /// Closes after what is queued has gone out. The first code and reason count; a reason is cut at 123 bytes.
    package func close(code: UInt16, reason: String) {
        let isFirst = shared.withLock { shared in
            guard !shared.isOver, shared.closing == nil else { return false }
            shared.closing = (code, reason)
            return true
        }
        if isFirst { loop.execute { self.beginClosing() } }
    }

    /// Sends a last message and closes, after a delay in which nothing is read. A peer that leaves before keeps its place
    /// among the connections of its address until then. On the loop's thread.
    package func close(after delay: Duration, sending message: [UInt8], code: UInt16, reason: String) {
        guard delay > .zero else {
            send(message)
            return close(code: code, reason: reason)
        }
        pauseReading()
        io.value.heldUntil = .now + delay
        loop.schedule(after: delay) {
            self.send(message)
            self.close(code: code, reason: reason)
        }
    }

    /// Stops reading, so that the peer's sends back up at the peer. From the loop's thread at once: the next message
    /// waits, even one that was read with this one.
    package func pauseReading() { setReading(false) }

    /// Reads on.
    package func resumeReading() { setReading(true) }

    /// The longest message taken from now on; past it the connection is closed with `code` and `reason`, which are 1009
    /// and the limit unless given. On the loop's thread.
    package func limitMessages(to limit: Int, code: UInt16 = 1009, reason: String? = nil) {
        let io = io.value
        io.reader.limit = limit
        io.tooLong = (code, reason)
    }

    private func setReading(_ isReading: Bool) {
        guard loop.isCurrent else { return loop.execute { self.setReading(isReading) } }
        io.value.wantsPause = !isReading
        if !isReading { return pause() }
        // Later, since it hands on what was read before, and the caller may be busy with that.
        loop.execute { if !self.io.value.wantsPause { self.resume() } }
    }
}
