internal import CTapeSockets
import TapeFormat

/// One WebSocket connection, of a server or of a client. Every method may be called from any thread.
package final class Connection: Sendable {
    struct Message {
        var bytes: [UInt8]
        var isText: Bool
    }

    /// The state that the loop shares with callers on any thread.
    struct Shared {
        var queue: [Message] = []
        var outstanding = 0
        var closing: (code: UInt16, reason: String)?
        /// The loop already knows that there is data to write.
        var isAwake = false
        var isOver = false
    }

    /// The peer's numeric address; for a client, the host and port of the URL.
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

    /// The HTTP answer that refused a client's connection: its status and its header `Server`. On the loop's thread.
    package var answer: (status: Int, server: String)? { io.value.answer }

    /// Queues a message, in the order of each thread's calls. Ignored once the connection is closing or closed. If too
    /// many bytes are queued before it, the connection is dropped: one message may be of any length.
    package func send(_ message: [UInt8], isText: Bool = false) {
        let (isFirst, isTooMuch) = shared.withLock { shared -> (Bool, Bool) in
            guard !shared.isOver, shared.closing == nil else { return (false, false) }
            // With little before it, a message is accepted whatever its length.
            let isNext = shared.outstanding <= maxOutstanding / 64
            guard isNext || shared.outstanding + message.count <= maxOutstanding else {
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

    /// Bytes of the messages that are queued and not yet accepted by the system.
    package var outstanding: Int { shared.withLock { $0.outstanding } }

    /// Closes the connection after the queued messages are sent. The first code and reason win. A reason is cut at 123
    /// bytes.
    package func close(code: UInt16, reason: String) {
        let isFirst = shared.withLock { shared in
            guard !shared.isOver, shared.closing == nil else { return false }
            shared.closing = (code, reason)
            return true
        }
        if isFirst { loop.execute { self.beginClosing() } }
    }

    /// Sends a last message and closes, after a delay in which nothing is read. A peer that disconnects earlier still
    /// counts for its address until then. On the loop's thread.
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

    /// Stops reading, so that the peer's sending backs up. On the loop's thread it takes effect at once: even a message
    /// that is already read waits.
    package func pauseReading() { setReading(false) }

    /// Resumes reading.
    package func resumeReading() { setReading(true) }

    /// Sets the longest accepted message from now on. A longer one closes the connection with `code` and `reason`, by
    /// default 1009 and the limit. On the loop's thread.
    package func limitMessages(to limit: Int, code: UInt16 = 1009, reason: String? = nil) {
        let io = io.value
        io.reader.limit = limit
        io.tooLong = (code, reason)
    }

    private func setReading(_ isReading: Bool) {
        guard loop.isCurrent else { return loop.execute { self.setReading(isReading) } }
        io.value.wantsPause = !isReading
        if !isReading { return pause() }
        // In a later turn, since resuming passes on data that was read before, and the caller may still be processing
        // data.
        loop.execute {
            let io = self.io.value
            guard !io.wantsPause else { return }
            if io.waitsForTurn { self.passOnLongMessage() } else { self.resume() }
        }
    }
}
