import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// External numbers and names at the limits of their ranges.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Engine.isSQLite)) struct OutsideNumberTests {
    private static let path = TestServer.session
    private static let most = 9_007_199_254_740_991

    /// Sends every request that takes a number.
    private func expectAnswers(_ server: TestServer) async throws {
        for number in [0, 1, 5, Self.most - 1, Self.most] {
            for place in [
                "/events/\(number)", "/states/\(number)", "/events?from=\(number)", "/tape?from=\(number)",
                "/tape?to=\(number)", "/tape?format=redux-devtools&from=\(number)", "/histogram", "/overview",
                "/matches?type=*&offset=\(number)", "/diff/" + Sample.header().session,
            ] {
                let status = try await server.http.get(Self.path + place).status
                #expect(status != 0 && status != 500, "\(place)")
            }
        }
    }

    @Test("A hello with `from` is recorded as a tape that starts at 0")
    func from() async throws {
        let server = try TestServer()
        var header = Sample.header()
        header.from = 5
        header.states = ["main": ["n": 7]]
        let app = await server.app(Sample.hello(header))
        #expect(try await app.welcome().have == 0)
        try await expectAnswers(server)
        app.send(Sample.counting(to: 3).map(\.bytes))
        try await app.acknowledged(3)
        #expect(try await server.http.get(Self.path + "/states/0").json() == ["n": 0])
        try await expectAnswers(server)
        app.close()
    }

    @Test("A gap over nearly all possible seqs is followed, sealed and read, also after restarts")
    func gap() async throws {
        let folder = TemporaryFolder()
        let gap = Sample.gap(Self.most - 3, count: Self.most - 3)
        do {
            let server = try TestServer(in: folder)
            let lines = [Sample.start(0), gap, Sample.full(Self.most - 2, ["n": 1])]
            try await server.recorded(lines).close()
            try await server.sealed(Self.most - 1)
        }
        let server = try TestServer(in: folder)
        let app = await server.app()
        #expect(try await app.welcome().have == Self.most - 1)
        let last = Sample.count(Self.most - 1, to: 2)
        app.send([last.bytes, Sample.count(Self.most, to: 3).bytes])
        try await app.acknowledged(Self.most + 1)
        app.close()
        try await server.sealed(Self.most + 1)
        #expect(try await server.http.get(Self.path + "/states/\(Self.most)").json() == ["n": 3])
        try await expectAnswers(server)
    }

    @Test("An event with an impossible `cause.of` doesn't count as replayed", arguments: [-5, .min, .max, 6])
    func cause(_ of: Int) async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 6)).close()
        let body: JSON = [
            "app": "com.example.todo", "session": .string(Sample.header().session), "seq": 5, "mode": "replay",
        ]
        #expect(try await server.http.send("PUT", "/api/v1/start-states", body: body).status == 200)
        let app = await server.app(Sample.hello(Sample.header("FRESH-00001"), fresh: true))
        let id = try #require(try await app.welcome().start?.id)
        app.send([
            Sample.start(0).bytes,
            EventLine(
                seq: 1, at: 1, kind: .action,
                members: [
                    ("action", ["type": "a"]), ("state", ["n": 1]),
                    ("cause", ["push": .string(id), "of": .number(.init(of))]),
                ]
            ).bytes,
            AppLine.pushed(Pushed(id: id, result: .played(seq: 1))).bytes,
        ])
        try await app.acknowledged(2)
        try await server.until {
            try await $0.get("/api/v1/sessions/FRESH-00001").json()["replay"]?["status"] == "done"
        }
        app.close()
    }

    @Test("Names with NULs are returned unchanged everywhere, and are not mixed up")
    func nul() async throws {
        let server = try TestServer()
        let header = Header(
            session: Sample.header().session, app: .init(id: "a\0b"), device: .init(id: "d\0e"),
            started: "2026-11-20T10:00:00.123Z", labels: ["k\0x": "v\0y"])
        let stores = ["s\0a", "s\0b", "s"]
        let lines =
            stores.enumerated().map { Sample.start($0, store: $1, ["n": .number(.init($0))]) } + [
                Sample.action(3, store: "s\0a", type: "t\0u", ("skipped", true)),
                EventLine(seq: 4, at: 4, kind: .other("\0"), store: "s\0b"),
                EventLine(seq: 5, at: 5, kind: .note, members: [("text", "n\0o")]),
                EventLine(seq: 6, at: 6, kind: .end, members: [("reason", "r\0s")]),
            ]
        try await server.recorded(lines, Sample.hello(header)).close()
        try await server.sealed(7)
        let names = try await server.http.get(Self.path + "/events?fields=head").lines.map { try JSON(parsing: $0) }
        #expect(names.map { $0["store"]?.string } == lines.map(\.store))
        #expect(names[3]["type"] == "t\0u" && names[4]["event"] == "\0")
        let edit = try await server.http.send("PATCH", Self.path, body: ["title": "t\0i"])
        #expect(try edit.json()["title"] == "t\0i")
        let mark = try await server.http.send(
            "POST", Self.path + "/bookmarks", body: ["seq": 1, "text": "b\0c", "author": "a\0n"])
        #expect(try mark.json()["text"] == "b\0c" && mark.json()["author"] == "a\0n")
        #expect(try await server.http.get(Self.path).json()["endReason"] == "r\0s")
        var problems: [String] = []
        _ = try ArchiveCheck.run(
            .folder(server.folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) },
            progress: { _ in })
        #expect(problems == [])
    }

    @Test("Rows with arbitrary values are handled one by one")
    func rows() async throws {
        let folder = TemporaryFolder()
        let lines = Sample.counting(to: 600)
        do {
            let server = try TestServer(in: folder)
            try await server.recorded(lines).close()
            let other = Sample.hello(Sample.header("OTHER-00001"))
            try await server.recorded(Sample.counting(to: 3), other).close()
            try await server.sealed(600)
        }
        let columns = [
            "session.next", "session.sealed", "session.bytes", "session.duration", "session.received",
            "session.header",
            "session.lastSeen", "session.version", "session.ended", "session.complete", "chunk.first", "chunk.next",
            "chunk.lines", "head.columns", "head.first", "head.next", "base.seq", "base.kind", "base.store",
            "name.text",
        ]
        let values = [
            "-1", "9223372036854775807", "-9223372036854775808", "1e300", "NULL", "'text'", "x'00ff'", "''",
        ]
        let file = folder.url.appendingPathComponent(DataFolder.archive)
        let original = try Data(contentsOf: file)
        for (number, column) in columns.enumerated() {
            let parts = column.split(separator: ".")
            // Each value is tried in several columns.
            for value in values.indices.filter({ ($0 + number) % 3 == 0 }).map({ values[$0] }) {
                try original.write(to: file)
                let queue = try DatabaseQueue(path: file.path)
                let row = parts[0] == "session" ? "row" : "session"
                try await queue.write { db in
                    try db.execute(
                        sql: """
                            UPDATE OR IGNORE \(parts[0]) SET \(parts[1]) = \(value) WHERE rowid IN
                                (SELECT rowid FROM \(parts[0]) WHERE \(row) = 1 LIMIT 1)
                            """)
                }
                try queue.close()
                let server = try TestServer(in: folder)
                for place in [
                    "", "/events?from=0", "/events?from=300&fields=head", "/states/599", "/tape", "/overview",
                    "/histogram",
                ] {
                    _ = try await server.http.get(Self.path + place)
                }
                _ = try await server.http.get("/api/v1/sessions")
                #expect(
                    try await server.http.get("/api/v1/sessions/OTHER-00001/states/2").json() == ["n": 2],
                    "\(column) = \(value)")
                _ = try ArchiveCheck.run(
                    .folder(folder.url), logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
            }
        }
    }
}
