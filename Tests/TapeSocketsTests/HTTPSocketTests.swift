import TapeSockets
import Testing

@Suite("HTTPSocket", .timeLimit(.minutes(1)))
struct HTTPSocketTests {
    @Test("A request is answered and the connection stays open for the next one")
    func keepAlive() async throws {
        let service = TestService(handles: { exchange in
            exchange.respond(HTTPResponse(status: 200, body: Array(exchange.request.path.utf8)))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            for path in ["/one", "/two", "/three"] {
                let answer = socket.ask("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.line == "HTTP/1.1 200 OK")
                #expect(answer.text == path)
            }
        }
    }
}
