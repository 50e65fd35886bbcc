/// An address that a ``Service`` answers at.
package final class Listener: Sendable {
    /// What a listener allows, and its certificate.
    package struct Options: Sendable {
        /// The certificate chain's PEM file; with it the listener speaks TLS only.
        package var tlsCertificate: String?
        /// The certificate's key, a PEM file.
        package var tlsKey: String?
        /// Bytes of the longest message taken; past it the connection is closed with 1009.
        package var maxMessage = 16 << 20
        /// Bytes of the longest request body taken; past it the answer is 413.
        package var maxBody = 16 << 20
        /// Bytes that may wait for one slow peer; past it its connection is dropped.
        package var maxOutstanding = 64 << 20
        /// A connection that was silent for so long is pinged (whole seconds).
        package var pingAfter: Duration = .seconds(20)
        /// A connection that was silent for so long is dropped (whole seconds).
        package var dropAfter: Duration = .seconds(60)

        package init() {}
    }

    /// The port listened on, also when 0 was asked for.
    package let port: Int

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - loop: The loop that serves.
    ///   - host: A numeric address (v4 or v6) or a name of this machine.
    ///   - port: 0 picks a free one.
    ///   - subprotocols: The WebSocket subprotocols that ``Service/upgrade(_:offered:)`` may accept.
    ///   - options: Limits and certificate.
    ///   - service: What answers.
    /// - Throws: ``SocketsError`` if the port is taken, the address isn't this machine's, or the certificate is bad.
    package init(
        on loop: EventLoop, host: String, port: Int, subprotocols: [String] = [], options: Options = Options(),
        service: any Service
    ) throws(SocketsError) {
        self.port = port
    }

    /// Closes the listening socket; connections and requests under way go on. Again is harmless.
    package func stopAccepting() {}
}
