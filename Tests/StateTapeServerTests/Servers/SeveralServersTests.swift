import Foundation
import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres
@testable import TapeEngine

@Suite("Several servers with one database", .timeLimit(.minutes(2))) struct SeveralServersTests {
    private let session = TestServer.session
    private let id = Sample.header().session

    private func events(_ viewer: TestPeer, _ count: Int) async throws -> [Int] {
        var seqs: [Int] = []
        for _ in 0..<count { seqs.append(try await viewer.event()["seq"]?.int ?? -1) }
        return seqs
    }

    @Test("A viewer of one server gets the events and the status of an app that is connected to another")
    func viewing() async throws {
        let group = try ServerGroup()
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded(Sample.counting(to: 5))
        #expect(try await events(viewer, 5) == Array(0..<5))
        _ = try await viewer.summary { $0["live"] == true && $0["events"] == 5 }
        for seq in 5..<50 {
            app.send([Sample.count(seq, to: seq).bytes])
            #expect(try await events(viewer, 1) == [seq])
        }
        let list = try await group.b.http.get("/api/v1/sessions?live=true").json()
        #expect(list["sessions"]?[0]?["recording"] == true && list["sessions"]?[0]?["locked"] == false)
        #expect(try await group.b.http.get("/api/v1/sessions?live=false").json()["sessions"] == [])
        app.close()
        _ = try await viewer.summary { $0["live"] == false }
    }

    @Test("Requests to an app are passed to the server that it is connected to, with their answers")
    func requests() async throws {
        let group = try ServerGroup()
        let app = try await group.a.recorded(Sample.counting(to: 6))
        async let pushed = group.b.http.send("POST", session + "/push", body: ["state": ["n": 7]])
        let push = try await app.push()
        #expect(push.content == .state(["n": 7]))
        app.send([
            Sample.full(6, ["n": 7]).bytes, AppLine.pushed(Pushed(id: push.id, result: .played(seq: 6))).bytes,
        ])
        #expect(try await pushed.json()["seq"] == 6)

        async let refused = group.b.http.send("POST", session + "/push", body: ["state": ["n": "x"]])
        let second = try await app.push()
        let failure = Pushed.Failure(code: .decode, message: "expected Int", path: "/n")
        app.send([AppLine.pushed(Pushed(id: second.id, result: .failed(failure))).bytes])
        let problem = try await refused
        #expect(problem.status == 422 && problem.headers["content-type"] == "application/problem+json")
        #expect(try problem.json()["path"] == "/n")
        #expect(try await group.b.http.send("POST", session + "/push", body: [:]).status == 422)

        let viewer = try await group.viewer(group.b)
        let lock = try await group.b.http.send(
            "POST", session + "/control", body: ["locked": true, "recording": false])
        #expect(try lock.json() == ["recording": false, "locked": true])
        _ = try await viewer.summary { $0["locked"] == true && $0["recording"] == false }
        app.send([AppLine.queued(3).bytes])
        _ = try await viewer.summary { $0["queued"] == 3 }
        let unlock: JSON = ["locked": false, "queue": "discard", "recording": true]
        #expect(try await group.b.http.send("POST", session + "/control", body: unlock).status == 200)
        _ = try await viewer.summary { $0["locked"] == false && $0["recording"] == true && $0["queued"] == nil }

        let replay = try await group.b.http.send("POST", session + "/replay", body: ["from": 2, "to": 3])
        #expect(replay.status == 202)
        _ = try await viewer.summary { $0["loop"]?["status"] == "running" }
        #expect(try await group.b.http.send("DELETE", session + "/replay").status == 204)
        let travel = try await group.b.http.send("POST", session + "/travel", body: ["seq": 2])
        #expect(travel.status == 409 && travel.code == "replaying")
        app.close()
        try await group.known(group.b, live: false)
        #expect(try await group.b.http.send("POST", session + "/push", body: ["state": 1]).code == "not-connected")
    }

    @Test("A request that its server doesn't answer in time is 504")
    func unanswered() async throws {
        let group = try ServerGroup { $1.timing.peers.pass = .milliseconds(200) }
        let app = try await group.a.recorded(Sample.counting(to: 2))
        let answer = try await group.b.http.send("POST", session + "/push", body: ["state": 1])
        #expect(answer.status == 504 && answer.code == "no-answer")
        let metrics = try await group.b.http.get("/metrics").text
        #expect(metrics.contains("statetape_requests_unanswered_total 1\n"))
        app.close()
    }

    @Test("A viewer far behind gets many sessions' lines from another server, unsealed, sealed and large")
    func catchingUp() async throws {
        let group = try ServerGroup()
        let viewer = await group.b.viewer()
        let ids = (10..<80).map { "SESSION-MANY-00\($0)" }
        viewer.send(ids.map { ViewerRequest.watch(session: $0).bytes })
        for _ in ids { _ = try await viewer.watching() }
        let long = JSON.string(String(repeating: "long ", count: 40_000))
        var apps: [TestPeer] = []
        var left = 0
        for (index, id) in ids.enumerated() {
            let large = [Sample.start(0, long), Sample.full(1, long)]
            let lines = index % 10 == 0 ? large : Sample.counting(to: index % 10 == 1 ? 300 : 20)
            left += lines.count
            apps.append(try await group.a.recorded(lines, Sample.hello(Sample.header(id))))
        }
        var next: [String: Int] = [:]
        for _ in 0..<left {
            let (session, seq) = try await viewer.viewerLine { line -> (String, Int)? in
                if case .event(let session, let line, _) = line { (session, line["seq"]?.int ?? -1) } else { nil }
            }
            #expect(seq == next[session, default: 0])
            next[session] = seq + 1
        }
        for app in apps { app.close() }
    }

    @Test("The lines of several sessions are read in one statement, unless some of them are sealed or missing")
    func fresh() throws {
        let archive = try PostgresArchive(
            PostgresAddress(PrivatePostgres.shared.get().makeSchema()), sync: .normal,
            logger: PrivatePostgres.logger)
        let ids = ["SESSION-0001", "SESSION-0002", "SESSION-0003"]
        for id in ids {
            let opening = SessionOpening(header: Sample.header(id), keyHash: [1], owner: "one")
            guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
                return #expect(Bool(false))
            }
            for first in [0, 10, 20] {
                let lines = Array(Sample.counting(to: 30)[first..<first + 10])
                _ = try archive.commit(
                    [.append(Batch(session: session.row, owner: "one", lines: lines))], received: 0)
            }
        }
        try archive.write { _ = try $0.run("DELETE FROM batch WHERE first = 0 AND session = 2") }
        let found = try archive.fresh([ids[0]: 10, ids[1]: 0, ids[2]: 30, "none": 0], bytes: 1 << 20)
        #expect(found[ids[0]]?.batches.map(\.first) == [10, 20] && found[ids[0]]?.hasMore == false)
        #expect(try found[ids[0]]?.batches.flatMap { try $0.lines }.map(\.seq) == Array(10..<30))
        #expect(found[ids[1]] == nil && found["none"] == nil)
        #expect(found[ids[2]]?.batches.isEmpty == true && found[ids[2]]?.hasMore == false)
        let part = try archive.fresh([ids[0]: 0], bytes: 1)
        #expect(part[ids[0]]?.batches.map(\.first) == [0] && part[ids[0]]?.hasMore == true)
        try archive.close()
    }

    @Test("Damaged lines of one session keep no viewer from those of another")
    func damaged() async throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let archive = try PostgresArchive(
            PostgresAddress(PrivatePostgres.shared.get().makeSchema()), sync: .normal,
            logger: PrivatePostgres.logger)
        for id in ["SESSION-0001", "SESSION-0002"] {
            let opening = SessionOpening(header: Sample.header(id), keyHash: [1], owner: "one")
            guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
                return #expect(Bool(false))
            }
            let batch = Batch(session: session.row, owner: "one", lines: Sample.counting(to: 10))
            _ = try archive.commit([.append(batch)], received: 0)
        }
        try archive.write { _ = try $0.run("UPDATE batch SET lines = '\\x00ff' WHERE session = 1") }
        let reading = LineReading(
            archive: archive, tapes: Tapes(archive), workers: Workers(), loop: loop, retry: .seconds(1),
            logger: PrivatePostgres.logger)
        let found = await withCheckedContinuation { found in
            loop.execute {
                reading.read(["SESSION-0001": 0, "SESSION-0002": 0]) { found.resume(returning: $0) }
            }
        }
        #expect(found["SESSION-0001"]??.lines.map(\.kind) == [.gap])
        #expect(found["SESSION-0002"]??.lines.map(\.seq) == Array(0..<10))
        try archive.close()
    }

    @Test("An app that reconnects to another server goes on there; viewers of both get each event once")
    func moving() async throws {
        let group = try ServerGroup()
        let viewers = [try await group.viewer(group.a), try await group.viewer(group.b)]
        let lines = Sample.counting(to: 60)
        var before: TestPeer?
        for turn in 0..<6 {
            let app = await group.servers[turn % 2].app(Sample.hello(attempt: turn + 1))
            #expect(try await app.welcome().have == turn * 10)
            if let before { #expect(await before.closed().code == 4004) }
            app.send(lines[turn * 10..<turn * 10 + 10].map(\.bytes))
            try await app.acknowledged(turn * 10 + 10)
            before = app
        }
        for viewer in viewers { #expect(try await events(viewer, 60) == Array(0..<60)) }
        #expect(try await group.b.http.get(session + "/events").lines == lines.map(\.bytes))
        before?.close()
    }

    @Test("A server that has lost a session keeps nothing of it and closes its app with 4004")
    func fencing() async throws {
        // The first server hears nothing of the others.
        let group = try ServerGroup { number, configuration in
            guard number == 0 else { return }
            configuration.timing.peers.listens = false
            for path in [\StateTapeServer.Configuration.timing.peers.poll, \.timing.peers.beat] {
                configuration[keyPath: path] = .seconds(3_600)
            }
        }
        let old = try await group.a.recorded(Sample.counting(to: 3))
        let new = await group.b.app(Sample.hello())
        #expect(try await new.welcome().have == 3)
        old.send([Sample.count(3, to: 100).bytes, Sample.count(4, to: 101).bytes])
        #expect(await old.closed().code == 4004)
        new.send([Sample.count(3, to: 3).bytes])
        try await new.acknowledged(4)
        let lines = try await group.a.http.get(session + "/events").lines
        #expect(lines == Sample.counting(to: 4).map(\.bytes))
        new.close()
    }

    @Test("The late hello of an abandoned connection doesn't take its session back at another server")
    func late() async throws {
        let group = try ServerGroup()
        let app = await group.a.app(Sample.hello(attempt: 5))
        _ = try await app.welcome()
        #expect(await group.b.app(Sample.hello(attempt: 4)).closed().code == 4004)
        app.send(Sample.counting(to: 3).map(\.bytes))
        try await app.acknowledged(3)
        // Another process's key is still another key.
        #expect(await group.b.app(Sample.hello(key: "other", attempt: 6)).closed().code == 4006)
        // Otherwise the other server may not have heard of the app yet.
        try await group.known(group.b)
        app.close()
        try await group.known(group.b, live: false)
        // The connection has ended, so that the number counts no longer.
        #expect(try await group.b.app(Sample.hello(attempt: 5)).welcome().have == 3)
    }

    @Test("A session deleted at one server closes its app at another with 4010, and its viewers are told")
    func deletion() async throws {
        let group = try ServerGroup()
        let viewer = try await group.viewer(group.a)
        let app = try await group.a.recorded(Sample.counting(to: 3))
        #expect(try await group.b.http.send("DELETE", session).status == 204)
        #expect(await app.closed().code == 4010)
        _ = try await viewer.summary { $0["deleted"] == true }
        #expect(await group.a.app().closed().code == 4010)
    }

    @Test("Titles and bookmarks made at one server are shown at another, and a pause lasts across servers")
    func edits() async throws {
        let group = try ServerGroup()
        let app = try await group.a.recorded(Sample.counting(to: 3))
        let viewer = try await group.viewer(group.a)
        _ = try await group.b.http.send("PATCH", session, body: ["title": "The bug"])
        _ = try await viewer.summary { $0["title"] == "The bug" }
        _ = try await group.b.http.send("POST", session + "/bookmarks", body: ["seq": 1, "text": "here"])
        _ = try await viewer.summary { $0["bookmarks"]?["count"] == 1 }
        _ = try await group.b.http.send("POST", session + "/control", body: ["recording": false])
        _ = try await viewer.summary { $0["recording"] == false }
        app.close()
        let again = await group.b.app()
        #expect(try await again.welcome().recording == false)
        again.close()
    }

    @Test("What statetape run reports to one server is shown at another, with the answer of its app")
    func runs() async throws {
        let group = try ServerGroup()
        let viewer = await group.b.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        func shown(_ passes: @Sendable (JSON?) -> Bool) async throws {
            _ = try await viewer.viewerLine { line -> Void? in
                if case .runs(let runs) = line, passes(runs.first) { () } else { nil }
            }
        }
        _ = try await group.a.http.send("PUT", "/api/v1/runs/one", body: ["status": "running"])
        try await shown { $0?["status"] == "running" }
        try await group.a.recorded(Sample.counting(to: 2)).close()
        let start: JSON = ["app": "com.example.todo", "session": .string(id), "seq": 1]
        _ = try await group.b.http.send("PUT", "/api/v1/start-states", body: start)
        let app = await group.a.app(Sample.hello(Sample.header("FRESH-00001", labels: ["run": "one"]), fresh: true))
        let given = try #require(try await app.welcome().start?.id)
        app.send([AppLine.pushed(Pushed(id: given, result: .played(seq: 0, Adjustments(filled: ["/new"])))).bytes])
        try await shown { $0?["filled"] == ["/new"] }
        let next = try await group.b.http.send("PUT", "/api/v1/runs/one", body: ["status": "running"])
        #expect(try next.json()["filled"] == ["/new"])
        #expect(try await group.b.http.send("DELETE", "/api/v1/runs/one").status == 204)
        try await shown { $0 == nil }
        #expect(try await group.a.http.get("/api/v1/runs").json()["runs"] == [])
        app.close()
    }

    @Test("A launch state for a single run is given once, whichever server is asked")
    func once() async throws {
        let group = try ServerGroup()
        try await group.a.recorded(Sample.counting(to: 4)).close()
        let body: JSON = ["app": "com.example.todo", "session": .string(id), "seq": 2, "once": true]
        _ = try await group.a.http.send("PUT", "/api/v1/start-states", body: body)
        func fresh(_ number: Int) -> Hello { Sample.hello(Sample.header("FRESH-0000\(number)"), fresh: true) }
        let first = await group.a.app(fresh(1))
        let given = try #require(try await first.welcome().start)
        #expect(try await group.b.app(fresh(2)).welcome().start == nil)
        // The first one leaves before it has applied the state: another run gets it.
        first.close()
        try await group.a.until { try await $0.get("/api/v1/sessions/FRESH-00001").json()["live"] == false }
        var third: TestPeer?
        var number = 3
        while third == nil {
            let app = await group.b.app(fresh(number))
            if try await app.welcome().start?.id == given.id { third = app }
            number += 1
            try Task.checkCancellation()
        }
        third?.send([AppLine.pushed(Pushed(id: given.id, result: .played(seq: 0))).bytes])
        try await group.a.until { try await $0.get("/api/v1/start-states").json()["startStates"] == [] }
    }

    @Test("Servers that need tokens have the same ones, also after a restart")
    func tokens() async throws {
        let group = try ServerGroup { $1.host = "0.0.0.0" }
        let made = group.servers.compactMap { $0.server.pageURL.fragment?.dropFirst(6) }
        #expect(made.count == 1)
        let bearer = ["Authorization": "Bearer \(made.first ?? "")"]
        var views: Set<String?> = []
        for server in group.servers {
            let connect = try await server.http.get("/api/v1/connect", bearer)
            #expect(connect.status == 200)
            views.insert(try connect.json()["viewToken"]?.string)
        }
        #expect(views.count == 1 && views.first != .some(nil))
    }

    @Test("An upload that began at one server is finished at another; meanwhile nobody sees it")
    func upload() async throws {
        let group = try ServerGroup()
        let lines = Sample.counting(to: 400)
        let head = Array(([Sample.header().json.bytes] + lines[..<300].map(\.bytes)).joined(separator: [10])) + [10]
        // The connection is cut in the middle.
        _ = try? await group.a.http.send(
            "POST", "/api/v1/sessions", bytes: head, announced: head.count + 1_000_000)
        // Its lines may still be on the way.
        var next: Int?
        while next != 300, !Task.isCancelled {
            let path = "/api/v1/sessions?session=\(id)&from=999999"
            next = try await group.b.http.send("POST", path, bytes: []).json()["next"]?.int
        }
        #expect(next == 300)
        #expect(try await group.b.http.get(session).status == 404)
        let rest = Array(lines[300...].map(\.bytes).joined(separator: [10])) + [10]
        let answer = try await group.b.http.send("POST", "/api/v1/sessions?session=\(id)&from=300", bytes: rest)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try await group.a.http.get(session + "/tape").lines.dropFirst() == lines.map(\.bytes)[...])
    }

    @Test("If another server finds that a patch doesn't apply, the app sends a full state")
    func want() async throws {
        let group = try ServerGroup()
        let app = try await group.a.recorded([Sample.start(0)])
        try group.run("INSERT INTO server (id, seen) VALUES ('other', clock_timestamp())")
        try group.run(
            """
            INSERT INTO news (server, number, body)
            VALUES ('other', 1, convert_to('{"wanted":{"\(id)":["detail"]}}', 'UTF8'))
            """)
        #expect(try await app.want() == "detail")
        app.close()
    }
}
