import Foundation
import GRDB
import SampleTapes
import StateTape
import StateTapeStore
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
    private let source = Sample.header().session

    private func put(_ server: TestServer, through seq: Int) async throws {
        let body: JSON = [
            "app": "com.example.todo", "session": .string(source), "seq": .number(.init(seq)), "mode": "replay",
        ]
        #expect(try await server.http.send("PUT", "/api/v1/start-states", body: body).status == 200)
    }

    private func replay(_ peer: TestPeer) async throws -> TapeFormat.Replay {
        try await peer.line { (line: ServerLine) in if case .replay(let replay) = line { replay } else { nil } }
    }

    /// The API's status of the replay into a session, once it meets the condition.
    private func report(
        _ server: TestServer, _ session: String, _ passes: @escaping (JSON) -> Bool
    ) async throws -> JSON {
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes, ViewerRequest.watch(session: source).bytes])
        // The second request is answered, so the first one's effect is visible from here on.
        _ = try await viewer.watching()
        while true {
            let replay = try await server.http.get("/api/v1/sessions/\(session)").json()["replay"] ?? .null
            if passes(replay) { return replay }
            // All later changes are reported.
            _ = try await viewer.summary { $0["session"]?.string == session }
        }
    }

    private func played(_ replay: TapeFormat.Replay, _ seq: Int, _ outcome: (String, JSON)) -> [UInt8] {
        EventLine(
            seq: seq, at: Double(seq), kind: .action,
            members: [
                ("action", replay.action ?? .null), outcome,
                ("cause", ["push": .string(replay.id), "of": .number(.init(replay.of ?? -1))]),
            ]
        ).bytes
    }

    private func fresh(_ number: Int, maxMessage: Int? = nil) -> Hello {
        Sample.hello(Sample.header("FRESH-0000\(number)"), fresh: true, maxMessage: maxMessage)
    }

    @Test("The run starts after the last change without a reducer; then come the actions, at most 64 unanswered")
    func sent() async throws {
        let server = try TestServer()
        let lines =
            Sample.counting(to: 3) + [Sample.full(3, ["n": 10])] + (4..<104).map { Sample.count($0, to: $0 + 7) }
        try await server.recorded(lines).close()
        try await put(server, through: 100)
        let app = await server.app(fresh(1))
        let start = try #require(try await app.welcome().start)
        #expect(start.mode == .replay)
        #expect(start.states == ["main": ["n": 10]])
        var replays: [TapeFormat.Replay] = []
        for _ in 0..<64 { replays.append(try await replay(app)) }
        #expect(replays.map(\.of) == Array(4..<68))
        #expect(replays.allSatisfy { $0.id == start.id && $0.action?["type"] == "counter/add" })
        app.send([Sample.start(0, ["n": 10]).bytes])
        // One answer makes room for one more action; the end follows the last.
        var seq = 1
        for of in 68...100 {
            app.send([played(replays[seq - 1], seq, ("state", ["n": .number(.init(10 + seq))]))])
            seq += 1
            let next = try await replay(app)
            #expect(next.of == of)
            replays.append(next)
        }
        app.send([played(replays[seq - 1], seq, ("state", ["n": .number(.init(10 + seq))]))])
        while true {
            if try await replay(app).isDone { break }
        }
        app.close()
    }

    @Test("The first state that differs is reported with both events, its path and its patch")
    func divergence() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        let id = try #require(try await app.welcome().start?.id)
        app.send([Sample.start(0).bytes])
        for (index, n) in [1, 2, 30, 40, 50].enumerated() {
            let replay = try await replay(app)
            app.send([played(replay, index + 1, ("state", ["n": .number(.init(n))]))])
        }
        app.send([AppLine.pushed(Pushed(id: id, result: .played(seq: 5))).bytes])
        let report = try await report(server, "FRESH-00001") { $0["status"] == "done" }
        #expect(report["session"]?.string == source)
        #expect(report["from"] == 0 && report["through"] == 5)
        #expect(report["divergence"]?["of"] == 3 && report["divergence"]?["seq"] == 3)
        #expect(report["divergence"]?["store"] == "main" && report["divergence"]?["paths"] == ["/n"])
        #expect(report["divergence"]?["patch"] == [["op": "replace", "path": "/n", "value": 30]])
        app.close()
    }

    /// No session can be read while `body` runs.
    private func whileUnreadable(_ server: TestServer, _ body: () async throws -> Void) async throws {
        let file = server.folder.url.appendingPathComponent(DataFolder.archive).path
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(20)
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try await queue.write { try $0.execute(sql: "ALTER TABLE device RENAME TO away") }
        try await body()
        try await queue.write { try $0.execute(sql: "ALTER TABLE away RENAME TO device") }
        try queue.close()
    }

    @Test("A replay ends if its app sends more than the server can work off", .enabled(if: Engine.isSQLite))
    func flooded() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        let id = try #require(try await app.welcome().start?.id)
        let path = "/api/v1/sessions/FRESH-00001"
        #expect(try await server.http.get(path).json()["locked"] == true)
        try await whileUnreadable(server) {
            // The event that these name doesn't come, so they don't end the replay.
            let answer = AppLine.pushed(Pushed(id: id, result: .played(seq: 99))).bytes
            app.send(Array(repeating: answer, count: RunningReplay.maxWaiting + 8))
            app.send([Sample.start(0).bytes])
            try await app.acknowledged(1)
        }
        try await server.until { try await $0.get(path).json()["locked"] == false }
        app.close()
    }

    @Test("A replay goes on after its archive couldn't be read for a while", .enabled(if: Engine.isSQLite))
    func unreadable() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        let id = try #require(try await app.welcome().start?.id)
        var replays: [TapeFormat.Replay] = []
        for _ in 0..<5 { replays.append(try await replay(app)) }
        func play(_ seq: Int) async throws {
            app.send([played(replays[seq - 1], seq, ("state", ["n": .number(.init(seq))]))])
            try await app.acknowledged(seq + 1)
        }
        app.send([Sample.start(0).bytes])
        for seq in 1...2 { try await play(seq) }
        try await whileUnreadable(server) {
            try await play(3)
            for _ in 0..<20 {
                #expect(try await server.http.get("/api/v1/sessions/FRESH-00001").status >= 500)
            }
        }
        for seq in 4...5 { try await play(seq) }
        app.send([AppLine.pushed(Pushed(id: id, result: .played(seq: 5))).bytes])
        let report = try await report(server, "FRESH-00001") { $0["status"] == "done" }
        #expect(report["compared"] == 5 && report["divergence"] == nil, "\(report)")
        app.close()
    }

    @Test("A replay whose app disconnects reports the last event")
    func lost() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        _ = try await app.welcome()
        app.send([Sample.start(0).bytes])
        let first = try await replay(app)
        app.send([played(first, 1, ("state", ["n": 1]))])
        try await app.acknowledged(2)
        app.close()
        let report = try await report(server, "FRESH-00001") { $0["status"] == "lost" }
        #expect(report["at"] == 1 && report["divergence"] == nil)
    }

    @Test("A replay that was running when the server crashed has ended")
    func stopped() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        _ = try await app.welcome()
        _ = try await replay(app)
        server.server.stop()
        let next = try TestServer(in: server.folder)
        #expect(try await next.http.get("/api/v1/sessions/FRESH-00001").json()["replay"]?["status"] == "lost")
    }

    @Test("The app's error for an action is reported, and the app stays locked until the replay ends")
    func failed() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 3)).close()
        try await put(server, through: 2)
        let app = await server.app(fresh(1))
        let id = try #require(try await app.welcome().start?.id)
        _ = try await replay(app)
        let unlock = try await server.http.send(
            "POST", "/api/v1/sessions/FRESH-00001/control", body: ["locked": false, "queue": "discard"])
        #expect(unlock.status == 409)
        #expect(try unlock.json()["code"] == "replaying")
        let failure = Pushed.Failure(code: .decode, message: "the action of event 1: no", path: "/payload")
        app.send([AppLine.pushed(Pushed(id: id, result: .failed(failure))).bytes])
        let report = try await report(server, "FRESH-00001") { $0["status"] == "failed" }
        #expect(report["error"]?["code"] == "decode" && report["error"]?["path"] == "/payload")
        app.close()
    }

    @Test("Actions that precede the app's error are compared before the error is reported")
    func comparedFirst() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        try await put(server, through: 5)
        let app = await server.app(fresh(1))
        let id = try #require(try await app.welcome().start?.id)
        let replays = [try await replay(app), try await replay(app)]
        let failure = Pushed.Failure(code: .decode, message: "the action of event 3: no")
        app.send([AppLine.pushed(Pushed(id: id, result: .failed(failure), next: 3)).bytes])
        app.send([Sample.start(0).bytes])
        for (index, replay) in replays.enumerated() {
            app.send([played(replay, index + 1, ("state", ["n": .number(.init(index + 1))]))])
        }
        let report = try await report(server, "FRESH-00001") { $0["status"] == "failed" }
        #expect(report["played"] == 2 && report["compared"] == 2 && report["at"] == 2)
        app.close()
    }
}

private struct Counter: Codable, Sendable, Equatable { var count = 0 }
private enum CounterAction: Codable, Sendable { case add(Int), reset }

/// A complete app with its recorder, and this server.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReplayedAppTests {
    private func run(
        _ server: TestServer, _ reducer: @escaping Reducer<Counter, CounterAction>,
        _ body: (Store<Counter, CounterAction>) -> Void = { _ in }
    ) -> (Recorder, Store<Counter, CounterAction>) {
        let tape = Recorder(.test(url: "http://127.0.0.1:\(server.server.port)/", startLimit: 20))
        let track = tape.track(Counter(), CounterAction.self)
        let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
        track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
        body(store)
        return (tape, store)
    }

    @Test("Recorded actions run through a changed reducer, and the API reports the first difference")
    func app() async throws {
        let server = try TestServer()
        let (old, _) = run(
            server,
            { state, action in
                switch action {
                case .add(let n): state.count += n
                case .reset: state.count = 0
                }
            }
        ) { store in
            for n in 1...100 { store.dispatch(.add(n)) }
            store.dispatch(.reset)
            store.dispatch(.add(5))
        }
        #expect(old.finish(timeout: .seconds(20)))
        let sessions = try await server.http.get("/api/v1/sessions").json()["sessions"]?.array ?? []
        let source = try #require(sessions.first)
        let body: JSON = [
            "app": source["app"]?["id"] ?? .null, "session": source["session"] ?? .null, "seq": 102,
            "mode": "replay", "once": true,
        ]
        #expect(try await server.http.send("PUT", "/api/v1/start-states", body: body).status == 200)
        // The new reducer forgets to reset.
        let (new, store) = run(
            server,
            { state, action in
                if case .add(let n) = action { state.count += n }
            })
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        let done = try await viewer.summary { @Sendable summary in summary["replay"]?["status"] == "done" }
        #expect(store.state.count == 5_055)
        #expect(done["replay"]?["played"] == 102)
        #expect(done["replay"]?["compared"] == 101)
        #expect(done["replay"]?["divergence"]?["of"] == 101)
        #expect(done["replay"]?["divergence"]?["paths"] == ["/count"])
        #expect(new.finish(timeout: .seconds(20)))
    }
}
