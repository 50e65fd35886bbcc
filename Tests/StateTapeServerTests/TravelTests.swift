import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite("Time travel in the API", .timeLimit(.minutes(1))) struct TravelTests {
    private let path = TestServer.session + "/travel"

    private func push(_ peer: TestPeer) async throws -> Push {
        try await peer.line { (line: ServerLine) in if case .push(let push) = line { push } else { nil } }
    }

    private func control(_ peer: TestPeer) async throws -> Control {
        try await peer.line { (line: ServerLine) in if case .control(let control) = line { control } else { nil } }
    }

    @Test("A step locks the app, sends the state without a trace, and answers with what was adjusted")
    func step() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 6))
        async let answer = server.http.send("POST", path, body: ["seq": 3])
        #expect(try await control(app) == Control(locked: true))
        let push = try await push(app)
        #expect(push.travel == 3 && push.content == .state(["n": 3]))
        let adjustments = Adjustments(filled: ["/new"])
        app.send([AppLine.pushed(Pushed(id: push.id, result: .played(seq: 0, adjustments))).bytes])
        #expect(try await answer.json() == ["filled": ["/new"], "ignored": [], "kept": [], "lost": []])
        #expect(try await server.http.get(TestServer.session).json()["locked"] == true)
        let unlock: JSON = ["locked": false, "queue": "replay", "keep": true]
        _ = try await server.http.send("POST", TestServer.session + "/control", body: unlock)
        #expect(try await control(app) == Control(locked: false, queue: .replay, keep: true))
        app.close()
    }

    @Test(
        "The app's error is the answer, and the app is unlocked, unless it was locked before",
        arguments: [false, true])
    func failed(_ wasLocked: Bool) async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        let failure = Pushed.Failure(code: .unsupported, message: "no state")
        if wasLocked {
            _ = try await server.http.send("POST", TestServer.session + "/control", body: ["locked": true])
            #expect(try await control(app) == Control(locked: true))
        }
        // The first step succeeds; the second one doesn't.
        for result in [.played(seq: 0), .failed(failure)] as [Pushed.Result] {
            async let answer = server.http.send("POST", path, body: ["seq": 0])
            let push = try await push(app)
            app.send([AppLine.pushed(Pushed(id: push.id, result: result)).bytes])
            let code = try await answer.json()["code"]?.string
            if case .failed = result { #expect(code == "unsupported") } else { #expect(code == nil) }
            #expect(try await control(app) == Control(locked: true))
        }
        #expect(try await server.http.get(TestServer.session).json()["locked"] == JSON.bool(wasLocked))
        if !wasLocked { #expect(try await control(app) == Control(locked: false, queue: .replay)) }
        app.close()
    }

    @Test(
        "One store's error fails the step whatever the others answer; a store that the app lacks alone doesn't",
        arguments: [
            ([.unsupported, nil], "unsupported"), ([nil, .unsupported], "unsupported"), ([.unknownStore, nil], nil),
            ([nil, .unknownStore], nil), ([.unknownStore, .unknownStore], "unknown-store"),
            ([.unsupported, .unknownStore], "unsupported"), ([.unknownStore, .unsupported], "unsupported"),
        ] as [([Pushed.Failure.Code?], String?)])
    func stores(_ results: [Pushed.Failure.Code?], _ code: String?) async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0), Sample.start(1, store: "detail", ["open": true])])
        async let answer = server.http.send("POST", path, body: ["seq": 1])
        #expect(try await control(app) == Control(locked: true))
        for result in results {
            let push = try await push(app)
            let pushed = result.map { Pushed.Result.failed(.init(code: $0, message: "no")) } ?? .played(seq: 0)
            app.send([AppLine.pushed(Pushed(id: push.id, result: pushed)).bytes])
        }
        #expect(try await answer.json()["code"]?.string == code)
        #expect(try await server.http.get(TestServer.session).json()["locked"] == .bool(code == nil))
        app.close()
    }

    @Test("A step to no event, or in no app, is refused, and locks nothing")
    func refused() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        for (body, status) in [(["seq": 99] as JSON, 404), ([:], 422), (["seq": 0, "session": "none"], 404)] {
            #expect(try await server.http.send("POST", path, body: body).status == status)
        }
        #expect(try await server.http.get(TestServer.session).json()["locked"] == false)
        let keep: JSON = ["locked": true, "keep": true]
        #expect(try await server.http.send("POST", TestServer.session + "/control", body: keep).status == 422)
        app.close()
        _ = await app.closed()
        #expect(try await server.http.send("POST", path, body: ["seq": 0]).status == 409)
    }
}
