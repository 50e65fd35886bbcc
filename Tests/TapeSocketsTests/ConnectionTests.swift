import TapeSockets
import Testing

@Suite("Connection", .timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test("A message comes back as it was sent, text and binary")
    func echo() async throws {
        try await listening(.echo()) { listener, loop in
            let heard = Heard()
            let connection = Client.connect(
                on: loop, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: heard)
            _ = try await heard.opening()
            connection.send(Array("Grüße".utf8), isText: true)
            #expect(await heard.next { $0 != .drained }?.1 == .message(Array("Grüße".utf8), isText: true))
            connection.send([0, 255, 1])
            #expect(await heard.next { $0 != .drained }?.1 == .message([0, 255, 1], isText: false))
            connection.close(code: 1000, reason: "done")
            let end = try await heard.closing()
            #expect(end.code == 1000 && end.reason == "done")
        }
    }
}
