import TapeFormat

/// Carries messages to and from a server, whatever their content.
package protocol Transport: Sendable {
    /// Starts to connect and returns at once.
    ///
    /// - Parameter hear: Receives the connection's events, on any thread, in order. `closed` is the last and comes
    ///   once, even if the connection was never made.
    func connect(
        to address: Address, hear: @escaping @Sendable (TransportEvent) -> Void
    ) -> TransportConnection

    /// Closes all connections. The transport can't connect again.
    func stop()
}

/// One connection of a ``Transport``.
package struct TransportConnection: Sendable {
    /// Queues a binary message.
    package let send: @Sendable (_ message: [UInt8]) -> Void
    /// Closes the connection after the queued messages are sent.
    package let close: @Sendable (_ code: UInt16, _ reason: String) -> Void

    package init(
        send: @escaping @Sendable (_ message: [UInt8]) -> Void,
        close: @escaping @Sendable (_ code: UInt16, _ reason: String) -> Void
    ) {
        (self.send, self.close) = (send, close)
    }
}

/// An event of a connection.
package enum TransportEvent: Sendable, Equatable {
    case opened
    /// A message of one or more lines.
    case received([UInt8])
    /// All queued messages were sent.
    case drained
    /// Without a code, the connection was lost or never made; the reason says why.
    case closed(code: UInt16?, reason: String)
    /// Something answers at the address and makes no WebSocket connection. Also the last event.
    case declined(HTTPAnswer)
}

/// The answer to a request for a WebSocket connection that isn't one.
package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    /// The header `Server`.
    package var server: String?

    package init(status: Int, server: String? = nil) {
        (self.status, self.server) = (status, server)
    }

    /// What it says about the address, as the end of a sentence.
    var meaning: String {
        server?.hasPrefix("statetape") == true
            ? "it accepts no app at the moment (HTTP \(status)); its page says why"
            : "something else answers there (HTTP \(status))"
    }
}

/// The subprotocol that both ends agree on, and the longest message that is accepted, in bytes.
enum AppLink {
    static let subprotocol = "statetape.v1"
    static let maxMessage = Limits.line
}
