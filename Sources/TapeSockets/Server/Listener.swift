internal import CTapeSockets
package import Foundation

/// Listens on an address on behalf of a ``Service``.
package final class Listener: Sendable {
    /// A listener's limits and its certificate.
    package struct Options: Sendable {
        /// The certificate chain's PEM file. If set, the listener only accepts TLS.
        package var tlsCertificate: String?
        /// The PEM file of the certificate's key.
        package var tlsKey: String?
        /// Bytes of the longest message that is accepted. A longer one closes the connection with 1009.
        package var maxMessage = 16 << 20
        /// Where long messages wait until all of them has arrived.
        package var spool = FileManager.default.temporaryDirectory
        /// The most bytes of long messages that wait there.
        package var maxSpool = 1 << 30
        /// Called if a long message can't be kept there, with the peer whose connection closes, and the reason.
        package var spoolFailed: @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in }
        /// Bytes of the longest request body. A longer one is answered with 413.
        package var maxBody = 16 << 20
        /// The most bytes queued for one slow peer. Above this its connection is dropped.
        package var maxOutstanding = 64 << 20
        /// The most connections of one address; for IPv6, of one /64 network.
        package var maxPerAddress = Int.max
        /// The most connections from this machine, including those of a local proxy.
        package var maxLocal = Int.max
        /// The most connections in total.
        package var maxConnections = Int.max
        /// The average bytes per second that a body must reach. A slower one is answered with 408.
        package var minBodyRate = 1 << 10
        /// How long a body may be slower than that.
        package var bodyWindow: Duration = .seconds(10)
        /// Silence after which a connection is pinged.
        package var pingAfter: Duration = .seconds(20)
        /// Silence after which a connection is dropped, at its next ping. Must be longer than `pingAfter`.
        package var dropAfter: Duration = .seconds(60)

        package init() {}

        var heartbeat: Heartbeat { Heartbeat(pingAfter: pingAfter, dropAfter: dropAfter) }
    }

    /// The port that the listener uses, even if 0 was requested.
    package let port: Int
    private let loop: EventLoop
    private let pointer: LoopBound<OpaquePointer>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loop: The listener's loop.
    ///   - host: A numeric address (v4 or v6), or a name of this machine.
    ///   - port: The port; with 0 the system chooses a free one.
    ///   - subprotocols: The WebSocket subprotocols that ``Service/upgrade(_:offered:)`` may accept.
    ///   - options: Limits and certificate.
    ///   - service: Answers the requests.
    /// - Throws: ``SocketsError`` if the port is in use, the address isn't this machine's, or the certificate is
    ///   not valid.
    package init(
        on loop: EventLoop, host: String, port: Int, subprotocols: [String] = [], options: Options = Options(),
        service: any Service
    ) throws(SocketsError) {
        guard 0...65535 ~= port else { throw .failed("Port \(port) is not between 0 and 65535.") }
        let context = ListenerContext(loop: loop, service: service, subprotocols: subprotocols, options: options)
        let result = loop.wait { Self.listen(context, host: host, port: port) }
        guard let result else { throw .failed("The event loop has ended.") }
        let (pointer, found) = try result.get()
        self.loop = loop
        self.port = found
        self.pointer = pointer
    }

    /// Closes the listening socket. Connections and running requests continue. May be called again.
    package func stopAccepting() {
        loop.wait { [pointer] in tape_listener_close(pointer.value) }
    }

    private static func listen(
        _ context: ListenerContext, host: String, port: Int
    ) -> Result<(LoopBound<OpaquePointer>, Int), SocketsError> {
        guard let raw = context.loop.raw else { return .failure(.failed("The event loop has ended.")) }
        let options = context.options
        var pointer: OpaquePointer?
        var found: Int32 = 0
        let (status, reason) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
            reason.initialize(repeating: 0)
            let status = host.withCString { host in
                withOptionalCString(options.tlsCertificate) { certificate in
                    withOptionalCString(options.tlsKey ?? options.tlsCertificate) { key in
                        var options = tape_listen_options(
                            host: host, port: Int32(port), certificate: certificate, key: key)
                        let owner = Unmanaged.passUnretained(context).toOpaque()
                        return tape_listen(raw.pointer, &options, owner, &pointer, &found, reason.baseAddress)
                    }
                }
            }
            return (status, reason.baseAddress.map { String(cString: $0) } ?? "")
        }
        switch status {
        case TAPE_OK: break
        case TAPE_UNAVAILABLE: return .failure(.unavailable)
        case TAPE_PORT_IN_USE: return .failure(.portInUse(host: host, port: port))
        case TAPE_ADDRESS: return .failure(.addressNotAvailable(host: host, reason: reason))
        case TAPE_NOT_PERMITTED: return .failure(.notPermitted(host: host, port: port))
        case TAPE_CERTIFICATE: return .failure(.certificate(reason))
        default: return .failure(.failed("Can't listen on \(host) port \(port): \(reason)."))
        }
        guard let pointer else { return .failure(.unavailable) }
        context.loop.members.value.enter(context, at: pointer)
        return .success((LoopBound(pointer), Int(found)))
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}
