#if os(Linux) && canImport(TapeSockets)
    import TapeSockets

    /// The transport on Linux, where URLSession has no WebSockets.
    final class SocketsTransport: Transport {
        private let loop: EventLoop

        init() throws {
            loop = try EventLoop()
        }

        func connect(
            to address: Address, hear: @escaping @Sendable (TransportEvent) -> Void
        ) -> TransportConnection {
            let connection = Client.connect(
                on: loop, to: address.url, subprotocol: AppLink.subprotocol, maxMessage: AppLink.maxMessage,
                handler: Handler(hear: hear))
            return TransportConnection(
                send: { connection.send($0) }, close: { connection.close(code: $0, reason: $1) })
        }

        func stop() {
            loop.stop()
        }

        private final class Handler: ConnectionHandler, Sendable {
            let hear: @Sendable (TransportEvent) -> Void

            init(hear: @escaping @Sendable (TransportEvent) -> Void) {
                self.hear = hear
            }

            func opened(_ connection: Connection) {
                hear(.opened)
            }

            func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
                hear(.received(message))
            }

            func drained(_ connection: Connection) {
                hear(.drained)
            }

            func closed(_ connection: Connection, code: UInt16?, reason: String) {
                if let answer = connection.answer {
                    hear(.declined(HTTPAnswer(status: answer.status, server: answer.server)))
                } else {
                    hear(.closed(code: code, reason: reason))
                }
            }
        }
    }
#endif
