#if os(Linux)
    import Foundation
    import Testing

    @testable import TapeSockets

    @Suite("A request without TLS", .timeLimit(.minutes(1)))
    struct PlainRequestTests {
        /// Answers each connection as soon as it has the head, and never reads the body.
        private final class EarlyServer: Sendable {
            let port: Int
            private let listening: Int32
            private let isOver = DispatchSemaphore(value: 0)

            init(_ answer: String) throws {
                let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                self.listening = listening
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = inet_addr("127.0.0.1")
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(listening, $0, size) == 0 && listen(listening, 1) == 0
                            && getsockname(listening, $0, &size) == 0
                    }
                }
                try #require(isListening)
                port = Int(in_port_t(bigEndian: address.sin_port))
                Thread.detachNewThread { [isOver] in
                    let client = accept(listening, nil, nil)
                    var buffer = [UInt8](repeating: 0, count: 256)
                    _ = recv(client, &buffer, buffer.count, 0)
                    _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
                    isOver.wait()
                    close(client)
                }
            }

            deinit {
                isOver.signal()
                close(listening)
            }
        }

        @Test("An answer that comes while the body is being sent ends the sending")
        func early() async throws {
            let server = try EarlyServer("HTTP/1.1 409 Conflict\r\nContent-Length: 2\r\n\r\nno")
            let request = PlainRequest(
                "POST", host: "127.0.0.1", port: server.port, target: "/",
                body: .bytes([UInt8](repeating: 0, count: 64 << 20)))
            let answer = try await request.send()
            withExtendedLifetime(server) {}
            #expect(answer.status == 409 && answer.body == Array("no".utf8))
        }
    }
#endif
