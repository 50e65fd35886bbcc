#if Server
    import TapeFormat
    import Testing

    @testable import StateTapeServer

    @Suite(.timeLimit(.minutes(1))) struct LimitTests {
        @Test("A line may have as many bytes as the welcome says; a longer one closes its link with 1009")
        func line() async throws {
            let server = try TestServer { $0.limits.line = 64 << 10 }
            let app = await server.app(Sample.hello(compress: ["deflate"]))
            #expect(try await app.welcome().maxMessage == 64 << 10)
            let text = String(repeating: "x", count: 60 << 10)
            app.send([Sample.start(0, ["text": .string(text)]).bytes])
            try await app.acknowledged(1)
            app.send([Sample.full(1, ["text": .string(text + text)]).bytes])
            let end = await app.closed()
            #expect(end.code == 1009 && end.reason.contains("65536 bytes"))
        }

        @Test("More apps than may be connected are refused with the limit, until one has gone")
        func apps() async throws {
            let server = try TestServer { $0.limits.apps = 1 }
            // One that has said nothing yet counts too.
            let first = await server.silentApp()
            guard case .opened = await first.next() else { return #expect(Bool(false), "the first app was refused") }
            #expect(await server.app().closed().code == nil)
            let upgrade = [
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "statetape.v1",
            ]
            let refused = try await server.http.get("/v1/app", upgrade)
            #expect(refused.status == 503 && refused.code == "full" && refused.text.contains("1 apps (--max-apps)"))
            first.close()
            _ = await first.closed()
            // The server hears of it a moment later.
            while true {
                if case .opened = await server.silentApp().next() { return }
            }
        }

        @Test("A longer upload than may be is refused with the limit before it is read")
        func upload() async throws {
            let server = try TestServer { $0.limits.upload = 100 }
            let path = "/api/v1/sessions"
            let refused = try await server.http.send(
                "POST", path, body: .string(String(repeating: "x", count: 200)))
            #expect(refused.status == 413 && refused.code == "too-long" && refused.text.contains("100 bytes"))
        }
    }
#endif
