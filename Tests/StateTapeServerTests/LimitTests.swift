import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct LimitTests {
    @Test("A line can be as long as the welcome says; a longer one closes the link with 1009")
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

    /// What a line meets on its way in and out: a viewer's member, a slice of a message, a row, a message of the
    /// committed lines, a line that is parsed on the loop's thread, the lines of one app that wait for a commit.
    private static let limits = [16 << 10, 128 << 10, 256 << 10, 1 << 20, 4 << 20]

    @Test("A line of about the size of each limit is stored between small ones, and read back whole")
    func sizes() async throws {
        let server = try TestServer()
        let app = await server.app()
        _ = try await app.welcome()
        var lines = [Sample.start(0)]
        var texts: [Int: Int] = [:]
        for limit in Self.limits {
            for percent in [50, 99, 101] {
                let text = String(repeating: "x", count: limit * percent / 100)
                texts[lines.count] = text.utf8.count
                lines.append(Sample.full(lines.count, ["n": 0, "text": .string(text)]))
                lines.append(Sample.count(lines.count, to: lines.count))
            }
        }
        for line in lines { app.send([line.bytes]) }
        try await app.acknowledged(lines.count)
        for line in lines {
            let answer = try await server.http.get("\(TestServer.session)/states/\(line.seq)")
            let text = texts[line.seq] ?? texts[line.seq - 1] ?? 0
            #expect(try answer.json()["text"]?.string?.utf8.count ?? 0 == text, "after \(line.seq)")
            guard texts[line.seq] != nil else { continue }
            let whole = try await server.http.get("\(TestServer.session)/events/\(line.seq)")
            #expect(whole.body == line.bytes, "\(line.seq)")
        }
        let rest = try await server.http.get("\(TestServer.session)/events?fields=head&limit=1000")
        #expect(rest.text.split(separator: "\n").count == lines.count)
    }

    @Test("Apps above the limit are refused with the limit, until one disconnects")
    func apps() async throws {
        let server = try TestServer { $0.limits.apps = 1 }
        // A connection without a hello isn't counted as an app.
        let silent = await server.silentApp()
        guard case .opened = await silent.next() else { return #expect(Bool(false), "a connection was refused") }
        let first = await server.app()
        _ = try await first.welcome()
        #expect(await server.app().closed().code == nil)
        // It connected while there was room, and sends its hello too late.
        silent.send([AppLine.hello(Sample.hello(Sample.header("SESSION-0002"))).bytes])
        let end = await silent.closed()
        #expect(end.code == 1001 && end.reason.contains("--max-apps"))
        let upgrade = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "statetape.v1",
        ]
        let refused = try await server.http.get("/v1/app", upgrade)
        #expect(refused.status == 503 && refused.code == "full" && refused.text.contains("1 apps (--max-apps)"))
        first.close()
        _ = await first.closed()
        // The server notices the end a moment later.
        while true {
            if case .opened = await server.silentApp().next() { return }
        }
    }

    @Test(
        "A large body without a token or an endpoint is refused before it is sent",
        arguments: [
            ("POST", "/nothing"), ("POST", "/api/v1/login"), ("GET", "/healthz"), ("GET", "/api/v1/sessions"),
        ])
    func body(_ method: String, _ path: String) async throws {
        let server = try TestServer()
        let answer = try await server.http.send(
            method, path, headers: ["Content-Length": "100000"], bytes: [UInt8](repeating: 32, count: 100_000))
        #expect(answer.status == 413 && answer.text.contains("16384 bytes"), "\(answer.text)")
    }

    @Test("Before the hello is accepted, a message can have at most 16 KiB")
    func hello() async throws {
        let server = try TestServer { $0.tokens = [.init(.control, "right")] }
        let long = await server.silentApp()
        long.send([[UInt8](repeating: 65, count: (16 << 10) + 1)])
        let end = await long.closed()
        #expect(end.code == 4003 && end.reason.contains("16384 bytes"))
        let short = await server.silentApp()
        short.send([[UInt8](repeating: 65, count: 16 << 10)])
        #expect(await short.closed().code == 4000)
        // After that, as many as the welcome says.
        let app = await server.app(Sample.hello(token: "right"))
        _ = try await app.welcome()
        app.send([Sample.start(0, ["text": .string(String(repeating: "x", count: 100 << 10))]).bytes])
        try await app.acknowledged(1)
    }

    @Test("The oldest of too many connections without a hello is closed, and no app is refused")
    func pending() async throws {
        let server = try TestServer {
            $0.limits.apps = 2
            $0.limits.pendingApps = 3
            $0.timing.hello = .seconds(50)
        }
        var silent: [TestPeer] = []
        for _ in 0..<5 {
            let peer = await server.silentApp()
            _ = await peer.next()
            silent.append(peer)
        }
        for peer in silent.prefix(2) {
            let end = await peer.closed()
            #expect(end.code == 1001 && end.reason.contains("waiting to send a hello"))
        }
        let app = await server.app()
        _ = try await app.welcome()
        silent[4].send([AppLine.hello(Sample.hello(Sample.header("SESSION-0002"))).bytes])
        _ = try await silent[4].welcome()
    }

    @Test("The oldest connection of the address with the most connections is closed")
    func yielding() {
        var links = PendingLinks<Int>(limit: 3)
        let addresses = ["10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.3", "10.0.0.3", "10.0.0.3"]
        let victims = addresses.enumerated().map { links.enter($0, from: PeerAddress($1)) }
        #expect(victims == [nil, nil, nil, 1, 3, 4] as [Int?], "\(victims)")
        links.exit(2)
        #expect(links.enter(6, from: PeerAddress("10.0.0.1")) == nil)
        #expect(links.enter(7, from: PeerAddress("10.0.0.4")) == 0)
    }

    @Test("An upload over the limit is refused with the limit before it is read")
    func upload() async throws {
        let server = try TestServer { $0.limits.upload = 100 }
        let path = "/api/v1/sessions"
        let refused = try await server.http.send(
            "POST", path, body: .string(String(repeating: "x", count: 200)))
        #expect(refused.status == 413 && refused.code == "too-long" && refused.text.contains("100 bytes"))
    }
}
