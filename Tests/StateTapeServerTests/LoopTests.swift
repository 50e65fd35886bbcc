import SampleTapes
import StateTape
import StateTapeStore
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct LoopTests {
    private let path = TestServer.session + "/replay"

    private func loop(_ peer: TestPeer) async throws -> Loop {
        try await peer.line { (line: ServerLine) in if case .loop(let loop) = line { loop } else { nil } }
    }

    private func replay(_ peer: TestPeer) async throws -> TapeFormat.Replay {
        try await peer.line { (line: ServerLine) in if case .replay(let replay) = line { replay } else { nil } }
    }

    /// The API's status of the loop, once it meets the condition.
    private func report(_ server: TestServer, _ passes: @escaping (JSON) -> Bool) async throws -> JSON {
        let viewer = await server.viewer()
        viewer.send([
            ViewerRequest.watchSessions.bytes, ViewerRequest.watch(session: Sample.header().session).bytes,
        ])
        _ = try await viewer.watching()
        while true {
            let loop = try await server.http.get(TestServer.session).json()["loop"] ?? .null
            if passes(loop) { return loop }
            _ = try await viewer.summary { _ in true }
        }
    }

    private func caused(_ id: String, _ seq: Int, _ of: Int, n: Int) -> [UInt8] {
        EventLine(
            seq: seq, at: Double(seq), kind: .action,
            members: [
                ("action", ["type": "counter/add"]), ("state", ["n": .number(.init(n))]),
                ("cause", ["loop": .string(id), "of": .number(.init(of))]),
            ]
        ).bytes
    }

    private func begun(_ id: String, _ seq: Int, n: Int) -> [UInt8] {
        EventLine(
            seq: seq, at: Double(seq), kind: .replace,
            members: [("state", ["n": .number(.init(n))]), ("cause", ["loop": .string(id)])]
        ).bytes
    }

    @Test("The range is sent after the state before it, with its actions left out and edited; then the outcome")
    func range() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 6))
        let body: JSON = [
            "from": 2, "to": 5, "leaveOut": [3], "edit": ["4": ["type": "counter/add", "payload": 40]],
        ]
        let answer = try await server.http.send("POST", path, body: body)
        #expect(answer.status == 202)
        let loop = try await loop(app)
        #expect(try answer.json()["id"] == .string(loop.id))
        #expect(loop.states == ["main": ["n": 1]] && !loop.keep)
        let replays = [try await replay(app), try await replay(app), try await replay(app)]
        #expect(replays.map(\.of) == [2, 4, 5])
        #expect(replays[1].action == ["type": "counter/add", "payload": 40])
        #expect(try await replay(app).isDone)
        let unlock = try await server.http.send(
            "POST", TestServer.session + "/control", body: ["locked": false, "queue": "replay"])
        #expect(try unlock.json()["code"] == "replaying")
        app.send([
            begun(loop.id, 6, n: 1), caused(loop.id, 7, 2, n: 2), caused(loop.id, 8, 4, n: 42),
            caused(loop.id, 9, 5, n: 43), begun(loop.id, 10, n: 5),
            AppLine.pushed(Pushed(id: loop.id, result: .played(seq: 10))).bytes,
        ])
        let report = try await report(server) { $0["status"] == "done" }
        #expect(report["played"] == 3 && report["compared"] == 2 && report["leftOut"] == [3])
        #expect(report["divergence"]?["of"] == 4 && report["divergence"]?["seq"] == 8)
        #expect(report["divergence"]?["paths"] == ["/n"])
        #expect(report["divergence"]?["recorded"] == 4 && report["divergence"]?["value"] == 42)
        app.close()
    }

    @Test("The tape of an ended session runs in the running app")
    func otherSession() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        let app = try await server.recorded([Sample.start(0)], Sample.hello(Sample.header("LATER-00001")))
        let body: JSON = ["session": .string(Sample.header().session), "from": 2, "to": 3, "keep": true]
        let answer = try await server.http.send("POST", "/api/v1/sessions/LATER-00001/replay", body: body)
        #expect(answer.status == 202)
        let loop = try await loop(app)
        #expect(loop.states == ["main": ["n": 1]] && loop.keep)
        #expect(try await replay(app).of == 2)
        app.close()
    }

    @Test("Actions of an earlier loop are replayed only if their states were kept")
    func nested() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        func line(_ seq: Int, _ cause: JSON) -> [UInt8] {
            EventLine(
                seq: seq, at: Double(seq), kind: .action,
                members: [("action", ["type": "counter/add"]), ("state", ["n": 9]), ("cause", cause)]
            ).bytes
        }
        app.send([line(2, ["loop": "a", "of": 1]), line(3, ["loop": "b", "of": 1, "keep": true])])
        try await app.acknowledged(4)
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        let replays = [try await replay(app), try await replay(app)]
        #expect(replays.map(\.of) == [1, 3])
        #expect(try await replay(app).isDone)
        app.close()
    }

    @Test("It can be stopped, and a second one waits until then")
    func stopped() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 4))
        #expect(try await server.http.send("DELETE", path).status == 404)
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        let first = try await loop(app)
        let second = try await server.http.send("POST", path, body: ["from": 1, "to": 3])
        #expect(try second.json()["code"] == "replaying")
        #expect(try await server.http.send("DELETE", path).status == 204)
        #expect(try await loop(app) == Loop(id: first.id, states: nil))
        let stopped = Pushed.Failure(code: .stopped, message: "the replay was stopped")
        app.send([AppLine.pushed(Pushed(id: first.id, result: .failed(stopped), next: 4)).bytes])
        let report = try await report(server) { $0["status"] == "stopped" }
        #expect(report["error"] == nil && report["played"] == 0)
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        app.close()
    }

    @Test("A replay whose app disconnects is lost, also after the app has reconnected")
    func lost() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 4))
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        _ = try await loop(app)
        app.close()
        _ = await app.closed()
        let again = await server.app(Sample.hello(fresh: false))
        _ = try await again.welcome()
        let report = try await report(server) { $0["status"] == "lost" }
        #expect(report["played"] == 0)
        again.close()
    }

    @Test("The app's error is reported after the actions before it")
    func failed() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 4))
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        let id = try await loop(app).id
        let failure = Pushed.Failure(code: .decode, message: "the action of event 2: no", path: "/payload")
        app.send([
            AppLine.pushed(Pushed(id: id, result: .failed(failure), next: 6)).bytes, begun(id, 4, n: 0),
            caused(id, 5, 1, n: 1),
        ])
        let report = try await report(server) { $0["status"] == "failed" }
        #expect(report["played"] == 1 && report["compared"] == 1)
        #expect(report["error"]?["code"] == "decode")
        app.close()
    }

    @Test("A replay whose recording is deleted fails after the actions that were sent")
    func sourceDeleted() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 200)).close()
        let app = try await server.recorded([Sample.start(0)], Sample.hello(Sample.header("LATER-00001")))
        let later = "/api/v1/sessions/LATER-00001"
        let body: JSON = ["session": .string(Sample.header().session), "from": 1, "to": 199]
        #expect(try await server.http.send("POST", later + "/replay", body: body).status == 202)
        let id = try await loop(app).id
        for _ in 0..<Replays.window { _ = try await replay(app) }
        #expect(try await server.http.send("DELETE", TestServer.session).status == 204)
        app.send([begun(id, 1, n: 0)] + (1...Replays.window).map { caused(id, $0 + 1, $0, n: $0) })
        while try await !replay(app).isDone {}
        let last = Replays.window + 1
        app.send([AppLine.pushed(Pushed(id: id, result: .played(seq: last))).bytes])
        try await server.until { try await $0.get(later).json()["loop"]?["status"] == "failed" }
        let report = try await server.http.get(later).json()["loop"]
        #expect(report?["error"]?["code"] == "session-absent" && report?["played"] == .number(.init(Replays.window)))
        app.close()
    }

    @Test("An app that doesn't know loops is reported after the time limit")
    func oldApp() async throws {
        let server = try TestServer { $0.timing.replay = .milliseconds(1) }
        let app = try await server.recorded(Sample.counting(to: 4))
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        let report = try await report(server) { $0["status"] == "failed" }
        #expect(report["error"]?["code"] == "no-answer")
        #expect(try await server.http.send("POST", path, body: ["from": 1, "to": 3]).status == 202)
        app.close()
    }

    @Test("The next replay may begin as soon as the last one has ended")
    func inTurn() async throws {
        let server = try TestServer { $0.timing.replay = .milliseconds(1) }
        let app = try await server.recorded(Sample.counting(to: 4))
        let begun = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var begun = 0
                    for _ in 0..<150 {
                        let body: JSON = ["from": 1, "to": 3]
                        let status = try await server.http.send("POST", path, body: body).status
                        try #require(status == 202 || status == 409)
                        if status == 202 { begun += 1 }
                    }
                    return begun
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(begun > 1)
        app.close()
    }

    @Test("Ranges that can't be replayed are refused")
    func refused() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 4))
        for (body, status, code) in [
            (["from": 3, "to": 2], 422, "bad-body"), (["from": 1], 422, "bad-body"),
            (["from": 1, "to": 4], 404, "event-absent"), (["from": 0, "to": 2], 409, "broken"),
            (["from": 1, "to": 2, "session": "none"], 404, "session-absent"),
            (["from": 1, "to": 2, "edit": ["x": ["type": "a"]]], 422, "bad-body"),
            (["from": 1, "to": 2, "edit": ["1": 5]], 422, "bad-body"),
            (["from": 1, "to": 2, "leaveOut": ["1"]], 422, "bad-body"),
        ] as [(JSON, Int, JSON)] {
            let answer = try await server.http.send("POST", path, body: body)
            #expect(answer.status == status, "\(body.text)")
            #expect(try answer.json()["code"] == code, "\(body.text)")
        }
        app.close()
    }
}

private struct Counter: Codable, Sendable, Equatable { var count = 0 }
private enum CounterAction: Codable, Sendable { case add(Int) }

/// An action whose JSON is its number alone.
private struct Route: Codable, Sendable, Equatable {
    var number: Int

    init(_ number: Int) { self.number = number }
    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// A complete app with its recorder, and this server.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LoopedAppTests {
    @Test("The app runs a range with another reducer, reports the first difference, and continues where it was")
    func app() async throws {
        let server = try TestServer()
        let tape = Recorder(.test(url: "http://127.0.0.1:\(server.server.port)/", startLimit: 20))
        let track = tape.track(Counter(), CounterAction.self)
        var factor = 1
        let store = Store<Counter, CounterAction>(
            initial: track.start,
            reducer: { state, action in
                if case .add(let n) = action { state.count += n * factor }
            }, middleware: [track.middleware])
        track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
        for n in 1...200 { store.dispatch(.add(n)) }
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        let ready = try await viewer.summary { @Sendable summary in summary["events"] == 201 }
        let path = "/api/v1/sessions/\(ready["session"]?.string ?? "")/replay"
        factor = 2
        #expect(try await server.http.send("POST", path, body: ["from": 101, "to": 200]).status == 202)
        let done = try await viewer.summary { @Sendable summary in summary["loop"]?["status"] == "done" }
        #expect(done["loop"]?["played"] == 100)
        #expect(done["loop"]?["divergence"]?["of"] == 101)
        #expect(done["loop"]?["divergence"]?["recorded"] == 5_151)
        #expect(done["loop"]?["divergence"]?["value"] == 5_252)
        #expect(store.state.count == 20_100)
        #expect(tape.finish(timeout: .seconds(20)))
    }

    @Test("Actions whose JSON is short are dispatched again and replayed as they were")
    func short() async throws {
        let server = try TestServer()
        let tape = Recorder(.test(url: "http://127.0.0.1:\(server.server.port)/", startLimit: 20))
        let track = tape.track([Int](), Route.self)
        let store = Store<[Int], Route>(
            initial: track.start, reducer: { $0.append($1.number) }, middleware: [track.middleware])
        track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
        let numbers = [12_345, 5, -1, 0, 67]
        for number in numbers { store.dispatch(Route(number)) }
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        let ready = try await viewer.summary { @Sendable summary in summary["events"] == 6 }
        let path = "/api/v1/sessions/\(ready["session"]?.string ?? "")"
        for seq in 1...5 {
            let action = try #require(try await server.http.get(path + "/events/\(seq)").json()["action"])
            #expect(action == ["type": "Route", "payload": .number(.init(numbers[seq - 1]))])
            #expect(try await server.http.send("POST", path + "/push", body: ["action": action]).status == 200)
        }
        #expect(store.state == numbers + numbers)
        #expect(try await server.http.send("POST", path + "/replay", body: ["from": 1, "to": 5]).status == 202)
        let done = try await viewer.summary { @Sendable summary in summary["loop"]?["status"] == "done" }
        #expect(done["loop"]?["played"] == 5 && done["loop"]?["divergence"] == nil)
        #expect(tape.finish(timeout: .seconds(20)))
    }
}
