import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct FanOutTests {
    private let session = Sample.header().session

    /// More bytes than sockets and queues hold together.
    private let flooded = 1_500

    /// A line whose members are just small enough to be sent to a viewer.
    private func line(_ seq: Int) -> [UInt8] {
        let text = String(repeating: "x", count: 15_000)
        return Array(#"{"seq":\#(seq),"at":1,"event":"replace","state":"\#(text)","cause":{}}"#.utf8)
    }

    /// Sends enough to fill every buffer on the way to a viewer.
    private func flood(_ app: TestPeer) async throws {
        for seq in 1...flooded { app.send([line(seq)]) }
        try await app.acknowledged(flooded + 1)
    }

    @Test("A viewer gets every event exactly once, by HTTP and live, while the app continues to send")
    func withoutHoles() async throws {
        let server = try TestServer()
        let app = await server.app()
        _ = try await app.welcome()
        let lines = Sample.counting(to: 1_500)
        async let sending: Void = {
            for line in lines { app.send([line.bytes]) }
            try await app.acknowledged(lines.count)
        }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let viewer = await server.viewer()
                    viewer.send([ViewerRequest.watch(session: session).bytes])
                    let next = try await viewer.watching()
                    var seqs: [Int] = []
                    while seqs.count < next {
                        let path = TestServer.session + "/events?from=\(seqs.count)&limit=\(next - seqs.count)"
                        let page = try await server.http.get(path)
                        seqs += try page.lines.map { try EventLine(parsing: $0).seq }
                    }
                    while seqs.count < lines.count {
                        let seq = try await viewer.event()["seq"]?.int ?? -1
                        #expect(seq == seqs.count)
                        seqs.append(seq)
                    }
                    #expect(seqs == Array(0..<lines.count))
                }
            }
            try await group.waitForAll()
        }
        try await sending
    }

    /// Lets each peer view sessions of which so many events are committed, those of the first peer first.
    private struct Door: Service {
        let fanOut: LoopBound<FanOut>
        let loop: EventLoop
        let committed: Locked<[Int]>

        func admit(_ request: HTTPRequest) -> HTTPResponse? { nil }
        func handle(_ exchange: HTTPExchange) {}
        func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
            let next = committed.withLock { $0.removeFirst() }
            let source = TestViewerSource(committed: next)
            return .accept(
                subprotocol: "viewer", Viewer(fanOut.value, source, of: .all, loop: loop, timeout: .seconds(60)))
        }
    }

    @Test("A viewer that begins to watch between two commits, which are sent together, gets each event once")
    func betweenCommits() async throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let fanOut = LoopBound(FanOut())
        let door = Door(fanOut: fanOut, loop: loop, committed: Locked([0, 2]))
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0, subprotocols: ["viewer"], service: door)
        var viewers: [TestPeer] = []
        for next in [0, 2] {
            let url = "ws://127.0.0.1:\(listener.port)/"
            let viewer = await TestPeer.connect(on: loop, to: url, subprotocol: "viewer")
            viewer.send([ViewerRequest.watch(session: session).bytes])
            #expect(try await viewer.watching() == next)
            viewers.append(viewer)
        }
        loop.execute { fanOut.value.publish(session, Sample.counting(to: 4)) }
        for (viewer, expected) in zip(viewers, [[0, 1, 2, 3], [2, 3]]) {
            for seq in expected { #expect(try await viewer.event()["seq"]?.int == seq) }
        }
    }

    @Test("An event is published after its commit, without large members")
    func publish() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        #expect(try await viewer.watching() == 1)
        app.send([Sample.full(1, ["text": .string(String(repeating: "x", count: 20_000))]).bytes])
        let (line, large) = try await viewer.viewerLine {
            if case .event(_, let line, let large) = $0 { (line, large) } else { nil }
        }
        #expect(line["seq"] == 1 && line["state"] == nil && large == ["state"])
        #expect(try await server.http.get(TestServer.session + "/events/1").json()["state"] != nil)
    }

    @Test("A viewer gets no more events of a session that it unwatched")
    func unwatch() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        viewer.send([
            ViewerRequest.unwatch(session: session).bytes, ViewerRequest.watch(session: "other-one-0").bytes,
        ])
        #expect(try await viewer.watching() == 0)
        app.send([Sample.count(1, to: 1).bytes])
        try await app.acknowledged(2)
        viewer.send([ViewerRequest.watch(session: session).bytes])
        guard case .line(let next) = await viewer.next(), case .watching(_, 2) = try ViewerLine(parsing: next)
        else {
            return #expect(Bool(false), "an event came")
        }
    }

    @Test("A message from a viewer gets one list, however often it asks, and may be 256 KiB long")
    func longMessages() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        let ask = ViewerRequest.watchSessions.bytes
        viewer.send(Array(repeating: ask, count: 1_000) + [ViewerRequest.watch(session: session).bytes])
        var lists = 0
        _ = try await viewer.viewerLine { line -> Int? in
            if case .runs = line { lists += 1 }
            if case .watching(_, let next) = line { return next }
            return nil
        }
        #expect(lists == 1)
        viewer.send(Array(repeating: ask, count: (256 << 10) / ask.count + 1))
        #expect(await viewer.closed().code == 1009)
    }

    @Test("New, changed and ended sessions are sent to viewers of the list")
    func sessions() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        let app = try await server.recorded([])
        #expect(try await viewer.summary { $0["live"] == true }["session"]?.string == session)
        app.send(Sample.counting(to: 3).map(\.bytes))
        _ = try await viewer.summary { $0["events"] == 3 }
        app.send([Sample.end(3).bytes])
        _ = try await viewer.summary { $0["ended"] == true }
        app.close()
        _ = try await viewer.summary { $0["live"] == false }
        let again = await server.app()
        _ = try await again.welcome()
        let late = await server.viewer()
        late.send([ViewerRequest.watchSessions.bytes])
        #expect(try await late.summary()["session"]?.string == session)
    }

    @Test(
        "A session that changes fast has its summary sent four times a second at most, and the last one always")
    func rate() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        let start = ContinuousClock.now
        let app = try await server.recorded([])
        for line in Sample.counting(to: 100) {
            app.send([line.bytes])
            try await app.acknowledged(line.seq + 1)
        }
        var count = 1
        while try await viewer.summary()["events"] != 100 { count += 1 }
        let quarters = (ContinuousClock.now - start) / .milliseconds(250)
        #expect(count <= Int(quarters) + 2)
    }

    @Test("A viewer that doesn't read gets `behind`, and continues from there")
    func behind() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        viewer.pauseReading()
        try await flood(app)
        viewer.resumeReading()
        var events = 1
        var behind = 0
        while behind == 0, case .line(let line) = await viewer.next() {
            if line.count > 10_000 {
                events += 1
            } else if case .behind(_, let next) = try ViewerLine(parsing: line) {
                behind = next
            }
        }
        #expect(behind > events && behind <= flooded + 1)
        app.send([Sample.full(flooded + 1, 1).bytes])
        #expect(try await viewer.event()["seq"]?.int == behind)
    }

    @Test("A viewer that reads nothing for too long is closed with 4008")
    func notReading() async throws {
        let server = try TestServer { $0.timing.viewer = .milliseconds(100) }
        let app = try await server.recorded([Sample.start(0)])
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watch(session: session).bytes])
        _ = try await viewer.watching()
        viewer.pauseReading()
        try await flood(app)
        // The server's log says so and, if the viewer reads again, its last message.
        viewer.resumeReading()
        let code = await viewer.closed().code
        #expect(code == 4008 || code == nil)
    }

    @Test("A viewer that doesn't read doesn't delay others")
    func slowBesideFast() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let (slow, fast) = (await server.viewer(), await server.viewer())
        for viewer in [slow, fast] {
            viewer.send([ViewerRequest.watch(session: session).bytes])
            _ = try await viewer.watching()
        }
        slow.pauseReading()
        // A few at a time: even a viewer that reads everything may fall behind.
        for first in stride(from: 1, to: flooded, by: 50) {
            for seq in first..<first + 50 { app.send([line(seq)]) }
            for seq in first..<first + 50 {
                guard case .line(let line) = await fast.next() else { return #expect(Bool(false), "closed") }
                try #require(line.starts(with: #"{"event":{"session":"\#(session)","line":{"seq":\#(seq),"#.utf8))
            }
        }
    }

    @Test("A deleted session is reported to viewers of the list and of the session")
    func deleted() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let (list, one, other) = (await server.viewer(), await server.viewer(), await server.viewer())
        list.send([ViewerRequest.watchSessions.bytes])
        _ = try await list.summary()
        one.send([ViewerRequest.watch(session: session).bytes])
        other.send([ViewerRequest.watch(session: "other-one-0").bytes])
        for viewer in [one, other] { _ = try await viewer.watching() }
        #expect(try await server.http.send("DELETE", TestServer.session).status == 204)
        #expect(await app.closed().code == 4010)
        let expected: JSON = ["session": .string(session), "deleted": true]
        #expect(try await list.summary { $0["deleted"] == true } == expected)
        #expect(try await one.summary() == expected)
        other.send([ViewerRequest.watch(session: "other-one-1").bytes])
        guard case .line(let next) = await other.next(), case .watching = try ViewerLine(parsing: next) else {
            return #expect(Bool(false), "another session's end was published")
        }
    }

    @Test("A viewer that watches too many sessions is closed with 4000 and the limit")
    func tooMany() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        let sessions = (0...ViewerState.maxSessions).map { "session-\(100_000 + $0)" }
        viewer.send(sessions.map { ViewerRequest.watch(session: $0).bytes })
        let (code, message) = try await viewer.viewerLine {
            if case .error(let error) = $0 { (error.code, error.message) } else { nil }
        }
        #expect(code == "bad-line" && message.contains("\(ViewerState.maxSessions)"))
        #expect(await viewer.closed().code == 4000)
    }

    @Test("A viewer's bad line closes it with 4000")
    func badLine() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        viewer.send([Array("[1,]".utf8)])
        #expect(await viewer.closed().code == 4000)
    }
}
