import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTape
@testable import StateTapeServer
@testable import TapeUplink

@Suite(.timeLimit(.minutes(1))) struct IngestTests {
    private func tape(_ http: HTTPClient) async throws -> [[UInt8]] {
        let response = try await http.get(TestServer.session + "/tape")
        #expect(response.status == 200)
        return Array(response.lines.dropFirst())
    }

    @Test("An app's events are acknowledged, and read back unchanged, even after a restart")
    func roundTrip() async throws {
        let folder = TemporaryFolder()
        let lines = Sample.counting(to: 100)
        do {
            let server = try TestServer(in: folder)
            let app = await server.app()
            let welcome = try await app.welcome()
            #expect(welcome.have == 0 && welcome.recording && !welcome.locked && welcome.start == nil)
            #expect(welcome.session == Sample.header().session && welcome.server.hasPrefix("statetape/"))
            app.send(lines.map(\.bytes))
            try await app.acknowledged(100)
            #expect(try await tape(server.http) == lines.map(\.bytes))
            server.server.stop()
            #expect(await app.closed().code == 1001)
        }
        let server = try TestServer(in: folder)
        #expect(try await tape(server.http) == lines.map(\.bytes))
        let app = await server.app()
        #expect(try await app.welcome().have == 100)
    }

    @Test("Stopping commits everything that has arrived, acknowledged or not")
    func stop() async throws {
        let folder = TemporaryFolder()
        var acknowledged = 0
        do {
            let server = try TestServer(in: folder)
            let app = await server.app()
            _ = try await app.welcome()
            for line in Sample.counting(to: 500) { app.send([line.bytes]) }
            try await app.acknowledged(1)
            server.server.stop()
            while case .line(let bytes) = await app.next() {
                if case .ack(let next) = try ServerLine(parsing: bytes) { acknowledged = next }
            }
        }
        let server = try TestServer(in: folder)
        let held = try await tape(server.http).count
        #expect(held >= max(1, acknowledged))
        let app = await server.app()
        #expect(try await app.welcome().have == held)
    }

    @Test("Compression is used if the app offers it, and compressed events are stored as they were")
    func compressed() async throws {
        let server = try TestServer()
        #expect(try await server.app().welcome().compress == nil)
        let app = await server.app(Sample.hello(compress: ["zstd", "deflate"]))
        #expect(try await app.welcome().compress == "deflate")
        let (lines, deflater) = (Sample.counting(to: 50).map(\.bytes), Deflater())
        for line in lines { app.send([deflater.compressed(line)]) }
        try await app.acknowledged(50)
        #expect(try await tape(server.http) == lines)
        app.send([[0, 0xff, 0xff]])
        #expect(await app.closed().code == 1007)
    }

    @Test("A resent event is stored once")
    func resent() async throws {
        let server = try TestServer()
        let first = try await server.recorded(Sample.counting(to: 3))
        first.close()
        let app = await server.app()
        #expect(try await app.welcome().have == 3)
        app.send(Sample.counting(to: 5).map(\.bytes))
        try await app.acknowledged(5)
        #expect(try await tape(server.http) == Sample.counting(to: 5).map(\.bytes))
    }

    @Test("A hole closes with 4005, after the lines before it are committed")
    func hole() async throws {
        let server = try TestServer()
        let app = await server.app()
        _ = try await app.welcome()
        app.send([Sample.start(0).bytes, Sample.count(2, to: 2).bytes])
        #expect(await app.closed().code == 4005)
        #expect(try await tape(server.http).count == 1)
    }

    @Test("An event after the end closes with 4005, even on a later connection")
    func afterEnd() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0), Sample.end(1)])
        app.close()
        let again = await server.app()
        #expect(try await again.welcome().have == 2)
        again.send([Sample.count(2, to: 1).bytes])
        #expect(await again.closed().code == 4005)
        #expect(try await server.http.get(TestServer.session).json()["ended"] == true)
    }

    @Test("The same key takes over the session: the old connection is closed with 4004 and adds nothing more")
    func replaced() async throws {
        let server = try TestServer()
        let old = try await server.recorded(Sample.counting(to: 2))
        let new = await server.app()
        #expect(try await new.welcome().have == 2)
        #expect(await old.closed().code == 4004)
        new.send([Sample.count(2, to: 20).bytes])
        try await new.acknowledged(3)
        #expect(try await tape(server.http).last == Sample.count(2, to: 20).bytes)
    }

    @Test("An abandoned connection that arrives late doesn't take the session from a newer one")
    func lateConnection() async throws {
        let server = try TestServer()
        let new = await server.app(Sample.hello(attempt: 2))
        _ = try await new.welcome()
        let old = await server.app(Sample.hello(attempt: 1))
        #expect(await old.closed().code == 4004)
        new.send(Sample.counting(to: 2).map(\.bytes))
        try await new.acknowledged(2)
        new.close()
        _ = await new.closed()
        #expect(try await server.app(Sample.hello(attempt: 1, recovered: true)).welcome().have == 2)
        #expect(try await server.app(Sample.hello(attempt: 3)).welcome().have == 2)
    }

    @Test("Another key is closed with 4006, and the session's own app stays connected")
    func otherKey() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        let thief = await server.app(Sample.hello(key: "other"))
        #expect(await thief.closed().code == 4006)
        app.send([Sample.count(2, to: 2).bytes])
        try await app.acknowledged(3)
    }

    @Test("A gap that overlaps stored events is cut to the missing ones")
    func gap() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        app.send([Sample.gap(6, count: 6).bytes])
        try await app.acknowledged(7)
        let line = try await server.http.get(TestServer.session + "/events/4")
        #expect(try line.json() == ["seq": 6, "at": 6, "event": "gap", "count": 4, "reason": "memory"])
        #expect(try await server.http.get(TestServer.session).json()["complete"] == false)
    }

    @Test("A bad line closes with 4000 and a reason with member and position; committed events stay")
    func badLine() async throws {
        let server = try TestServer()
        let app = await server.app()
        _ = try await app.welcome()
        let bad = #"{"seq":1,"at":"soon","event":"note","text":"\#(String(repeating: "é", count: 300))"}"#
        app.send([Sample.start(0).bytes, Array(bad.utf8), Sample.count(2, to: 2).bytes])
        let error = try await app.line { (line: ServerLine) in
            if case .error(let error) = line { error } else { nil }
        }
        #expect(error.code == "bad-line" && error.message.contains("at") && error.message.contains("byte 14"))
        let (code, reason) = await app.closed()
        #expect(code == 4000 && reason.contains("at") && reason.utf8.count <= 123)
        let again = await server.app()
        #expect(try await again.welcome().have == 1)
        #expect(try await tape(server.http) == [Sample.start(0).bytes])
    }

    @Test("A missing hello, a hello of another version and one that is too long are closed with their codes")
    func hello() async throws {
        let impatient = try TestServer { $0.timing.hello = .milliseconds(50) }
        #expect(await impatient.silentApp().closed().code == 1001)
        let server = try TestServer()
        let other = await server.silentApp()
        other.send([Array(#"{"hello":{"tape":2,"session":"x"}}"#.utf8)])
        #expect(await other.closed().code == 4002)
        let long = await server.app(
            Sample.hello(Sample.header(labels: ["x": String(repeating: "x", count: 17_000)])))
        #expect(await long.closed().code == 4003)
    }

    @Test("Labels of a later hello are merged; the rest of the first header stays")
    func labels() async throws {
        let server = try TestServer()
        try await server.recorded([], Sample.hello(Sample.header(labels: ["a": "1", "b": "1"]))).close()
        let again = await server.app(Sample.hello(Sample.header(app: "other", labels: ["b": "2", "c": "3"])))
        _ = try await again.welcome()
        let summary = try await server.http.get(TestServer.session).json()
        #expect(summary["labels"] == ["a": "1", "b": "2", "c": "3"])
        #expect(summary["app"]?["id"] == "com.example.todo")
    }

    @Test("A session of a dead process is recorded, and is never live")
    func recovered() async throws {
        let server = try TestServer()
        let source = Sample.header("SESSION-0001")
        try await server.recorded(Sample.counting(to: 2), Sample.hello(source)).close()
        let start: JSON = [
            "app": "com.example.todo", "session": .string(source.session), "seq": 1, "mode": "state",
        ]
        #expect(try await server.http.send("PUT", "/api/v1/start-states", body: start).status == 200)
        let app = await server.app(Sample.hello(fresh: true, recovered: true))
        #expect(try await app.welcome().start == nil)
        app.send(Sample.counting(to: 2).map(\.bytes))
        try await app.acknowledged(2)
        #expect(try await server.http.get(TestServer.session).json()["live"] == false)
        let push = try await server.http.send("POST", TestServer.session + "/push", body: ["state": 1])
        #expect(push.status == 409 && push.code == "not-connected")
        let control = try await server.http.send(
            "POST", TestServer.session + "/control", body: ["recording": false])
        #expect(control.status == 409)
        let killer = EventLine(
            seq: 2, at: 2, kind: .action, members: [("action", ["type": "bomb"]), ("unfinished", true)])
        let end = EventLine(seq: 3, at: 2, kind: .end, members: [("reason", "crashed")])
        app.send([killer.bytes, end.bytes])
        try await app.acknowledged(4)
        let summary = try await server.http.get(TestServer.session).json()
        #expect(summary["ended"] == true && summary["endReason"] == "crashed" && summary["live"] == false)
        let heads = try await server.http.get(TestServer.session + "/events?from=2&fields=head").lines
        #expect(try heads.first.map { try JSON(parsing: $0)["unfinished"] } == true)
        #expect(try await server.http.get(TestServer.session + "/states/1").status == 200)
        // No other message followed.
        #expect(try await server.http.get(TestServer.session + "/states/2").code == "state-skipped")
    }

    @Test("A patch that doesn't apply makes the server request a full state; states are broken until then")
    func want() async throws {
        let server = try TestServer()
        let app = try await server.recorded([
            Sample.start(0), Sample.action(1, ("patch", [["op": "remove", "path": "/nothing"]])),
        ])
        #expect(try await app.want() == "main")
        let broken = try await server.http.get(TestServer.session + "/states/1")
        #expect(broken.status == 409 && broken.code == "broken")
        app.send([Sample.full(2, ["n": 2]).bytes])
        try await app.acknowledged(3)
        #expect(try await server.http.get(TestServer.session + "/states/2").text == #"{"n":2}"#)
    }

    @Test("Many apps at once lose nothing")
    func many() async throws {
        let server = try TestServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 10..<30 {
                group.addTask {
                    let header = Sample.header("SESSION-00\(number)")
                    let app = await server.app(Sample.hello(header))
                    _ = try await app.welcome()
                    for line in Sample.counting(to: 200) { app.send([line.bytes]) }
                    try await app.acknowledged(200)
                    let tape = try await server.http.get("/api/v1/sessions/\(header.session)/tape")
                    #expect(tape.lines.dropFirst().elementsEqual(Sample.counting(to: 200).map(\.bytes)))
                }
            }
            try await group.waitForAll()
        }
    }
}
