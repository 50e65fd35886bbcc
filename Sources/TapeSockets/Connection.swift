/// One WebSocket connection, of a server or of a client. Every method may be called from any thread.
package final class Connection: Sendable {
    /// The other end's numeric address.
    package let peer: String

    init(peer: String) {
        self.peer = peer
    }

    /// Queues a message. Ignored once the connection is closing or closed.
    package func send(_ message: [UInt8], isText: Bool = false) {}

    /// Bytes of the messages that are queued and not yet with the system.
    package var outstanding: Int { 0 }

    /// Closes after what is queued has gone out. The first code and reason count.
    package func close(code: UInt16, reason: String) {}

    /// Stops reading, so that the peer's sends back up at the peer.
    package func pauseReading() {}

    /// Reads on.
    package func resumeReading() {}
}

/// What hears of a connection, all on the loop's thread.
package protocol ConnectionHandler: AnyObject, Sendable {
    func opened(_ connection: Connection)
    /// A whole message.
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool)
    /// The queue is empty again.
    func drained(_ connection: Connection)
    /// Comes exactly once, also if the connection never opened. `code` and `reason` as received or sent;
    /// without a code the connection was lost or never made, and `reason` says why in words.
    func closed(_ connection: Connection, code: UInt16?, reason: String)
}
