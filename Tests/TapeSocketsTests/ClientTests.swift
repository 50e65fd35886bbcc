import Testing

@testable import TapeSockets

@Suite("Client", .timeLimit(.minutes(1)))
struct ClientTests {
    /// How a connection to `url` ends. Checks that it ends only once.
    private func end(of url: String, on loop: EventLoop) async throws -> (code: UInt16?, reason: String) {
        let handler = RecordingHandler()
        let connection = Client.connect(on: loop, to: url, subprotocol: "test.v1", handler: handler)
        let end = try await handler.closing()
        connection.send([1])
        connection.close(code: 1000, reason: "")
        await loop.caughtUp()
        handler.finish()
        #expect(await handler.next { _ in true } == nil, "nothing comes after the end")
        #expect(connection.outstanding == 0)
        return end
    }

    @Test("A closed port, an unknown host and a bad URL end at once with a reason")
    func unreachable() async throws {
        var port = 0
        try await listening(.echo()) { listener, _ in port = listener.port }
        let loop = try EventLoop()
        defer { loop.stop() }
        for url in [
            "ws://127.0.0.1:\(port)/", "ws://\(unresolvable)/", "http://127.0.0.1/", "nonsense", "ws://", "",
            "ws://127.0.0.1:0/", "ws://127.0.0.1:70000/", "ws://127.0.0.1:99999999999999999999/",
        ] {
            let end = try await end(of: url, on: loop)
            #expect(end.code == nil && !end.reason.isEmpty, "\(url)")
        }
    }

    @Test("A refused upgrade ends with a reason")
    func refused() async throws {
        let refusing = TestService(upgrades: { _, _ in .refuse(HTTPResponse(status: 403, body: [65])) })
        try await listening(refusing) { listener, _ in
            let end = try await end(of: "ws://127.0.0.1:\(listener.port)/", on: .clients)
            #expect(end.code == nil && !end.reason.isEmpty && end.reason != "the connection was lost", "\(end.reason)")
        }
    }

    @Test("A connection that is closed before it is open never opens")
    func early() async throws {
        try await listening(.echo()) { listener, _ in
            let handler = RecordingHandler()
            // In one turn of the loop, so that it can't open in between.
            EventLoop.clients.execute {
                let connection = Client.connect(
                    on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: handler)
                connection.close(code: 1000, reason: "")
            }
            let first = await handler.next { _ in true }
            #expect(first?.1 == .closed(nil, "closed before it was open"))
        }
    }

    @Test("Messages sent before a connection is open are sent once it is")
    func queued() async throws {
        try await listening(.echo()) { listener, _ in
            let handler = RecordingHandler()
            let connection = Client.connect(
                on: .clients, to: "ws://localhost:\(listener.port)/", subprotocol: "test.v1", handler: handler)
            for number in UInt8(0)..<10 { connection.send([number]) }
            for number in UInt8(0)..<10 { try await #expect(handler.message() == [number]) }
        }
    }

    @Test("All parts of a URL are parsed")
    func target() {
        let six = Target("wss://[::1]/a%20b?c=%26")
        #expect(six?.host == "::1" && six?.port == 443 && six?.path == "/a%20b?c=%26" && six?.isTLS == true)
        let four = Target("WS://example.com:8080")
        #expect(four?.host == "example.com" && four?.port == 8080 && four?.path == "/" && four?.isTLS == false)
    }
}
