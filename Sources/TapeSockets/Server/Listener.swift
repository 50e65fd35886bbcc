#if Server
    internal import CTapeSockets

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
            /// Connections that one address may have at a time; of IPv6 that is a network of 64 bits.
            package var maxPerAddress = Int.max
            /// Connections that this machine may have to its own listener, a proxy on it among them.
            package var maxLocal = Int.max
            /// Connections in all.
            package var maxConnections = Int.max
            /// Bytes a second that a body must bring on average while it is waited for; a slower one gets 408.
            package var minBodyRate = 1 << 10
            /// How long a body may be slower than that.
            package var bodyWindow: Duration = .seconds(10)
            /// A connection that gave no sign of life for so long is pinged.
            package var pingAfter: Duration = .seconds(20)
            /// A connection that gave no sign of life for so long is dropped, at
            /// the next of its pings; more than `pingAfter`.
            package var dropAfter: Duration = .seconds(60)

            package init() {}

            var heartbeat: Heartbeat { Heartbeat(pingAfter: pingAfter, dropAfter: dropAfter) }
        }

        /// The port listened on, also when 0 was asked for.
        package let port: Int
        private let loop: EventLoop
        private let pointer: LoopBound<OpaquePointer>

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
            guard 0...65535 ~= port else { throw .failed("Port \(port) is not between 0 and 65535.") }
            let context = ListenerContext(loop: loop, service: service, subprotocols: subprotocols, options: options)
            let result = loop.wait { Self.listen(context, host: host, port: port) }
            guard let result else { throw .failed("The event loop has ended.") }
            let (pointer, found) = try result.get()
            self.loop = loop
            self.port = found
            self.pointer = pointer
        }

        /// Closes the listening socket; connections and requests under way go on. Again is harmless.
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
#endif
