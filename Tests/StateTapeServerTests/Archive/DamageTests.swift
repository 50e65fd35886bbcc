import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(2)), .enabled(if: Engine.isSQLite)) struct DamageTests {
    private static let path = TestServer.session
    private let folder = TemporaryFolder()

    /// A tape of 900 events in sealed blocks of 256, the last ones unsealed. Each block has a full state.
    private static let lines = (0..<900).map { seq in
        seq == 0
            ? Sample.start(0)
            : seq % 100 == 99 ? Sample.full(seq, ["n": .number(.init(seq))]) : Sample.count(seq, to: seq)
    }

    private func edit(_ body: @Sendable (Database) throws -> Void) async throws {
        let queue = try DatabaseQueue(path: folder.url.appendingPathComponent(DataFolder.archive).path)
        try await queue.write(body)
        try queue.close()
    }

    private func record() async throws {
        let server = try TestServer(in: folder)
        let app = try await server.recorded(Self.lines)
        try await server.sealed(768)
        server.server.stop()
        app.close()
    }

    /// All events, page by page.
    private func events(_ server: TestServer, _ query: String = "") async throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        var from = 0
        while from < 900 {
            let answer = try await server.http.get(Self.path + "/events?from=\(from)&limit=200" + query)
            #expect(answer.status == 200)
            found += answer.lines
            let next = try #require(answer.headers["statetape-next"].flatMap { Int($0) })
            guard next > from else { throw Ended(description: "the list does not go on at \(from)") }
            from = next
        }
        return found
    }

    private static let spoil =
        "UPDATE chunk SET lines = CAST(substr(lines, 1, length(lines) - 9) AS BLOB) || x'00' || substr(lines, -8)"

    @Test(
        "A gap replaces unreadable events, and all others are readable",
        arguments: [
            spoil + " WHERE first = 256", "DELETE FROM chunk WHERE first = 256",
            "UPDATE chunk SET next = 400 WHERE first = 256",
            "UPDATE chunk SET lines = x'' WHERE first = 256",
        ])
    func block(_ damage: String) async throws {
        try await record()
        try await edit { db in try db.execute(sql: damage) }
        let server = try TestServer(in: folder)
        let found = try await events(server).map { try EventLine(parsing: $0) }
        let gap = try #require(found.first { $0.kind == .gap })
        #expect(gap.first == 256 && gap.seq == 511 && gap["reason"] == "damaged")
        #expect(
            found.filter { $0.kind != .gap }.map(\.bytes) == (Self.lines[..<256] + Self.lines[512...]).map(\.bytes))
        #expect(found.filter { $0.kind == .gap }.count == 1)

        #expect(try await server.http.get(Self.path + "/events/300").json() == JSON(parsing: gap.bytes))
        #expect(try await server.http.get(Self.path + "/states/255").json() == ["n": 255])
        let broken = try await server.http.get(Self.path + "/states/520")
        #expect(broken.code == "broken")
        #expect(try await server.http.get(Self.path + "/states/600").json() == ["n": 600])
        #expect(try await server.http.get(Self.path + "/states/899").json() == ["n": 899])
        for place in ["/overview", "/histogram", "/matches?type=*", "/events?q=counter", "/events?fields=head"] {
            #expect(try await server.http.get(Self.path + place).status == 200, "\(place)")
        }
        // The export is a valid tape again.
        let tape = try await server.http.get(Self.path + "/tape")
        #expect(tape.lines.dropFirst() == found.map(\.bytes)[...])
        let part = try await server.http.get(Self.path + "/tape?from=400&to=600").lines.dropFirst()
        #expect(try part.first.map { try EventLine(parsing: $0).first } == 400)

        var problems: [String] = []
        _ = try ArchiveCheck.run(
            .folder(folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
        #expect(problems.contains { $0.contains("events 256–511") }, "\(problems)")
    }

    @Test("A launch state whose actions are damaged is refused, and the server goes on")
    func launchState() async throws {
        try await record()
        let first = try TestServer(in: folder)
        let body: JSON = [
            "app": "com.example.todo", "session": .string(Sample.header().session), "seq": 300, "mode": "replay",
        ]
        #expect(try await first.http.send("PUT", "/api/v1/start-states", body: body).status == 200)
        first.server.stop()
        let state = Data(try Zstd.compress(Array(#"{"n":511}"#.utf8)))
        try await edit { db in
            try db.execute(sql: Self.spoil + " WHERE first = 256")
            try db.execute(
                sql: "INSERT INTO keyframe (session, store, seq, state) SELECT row, 'main', 511, ? FROM session",
                arguments: [state])
            try db.execute(
                sql: "INSERT INTO base (session, store, seq, kind) SELECT row, 'main', 511, 4 FROM session")
        }
        let server = try TestServer(in: folder)
        let hello = Sample.hello(Sample.header("FRESH-00001", device: "phone"), fresh: true)
        #expect(try await server.app(hello).welcome().start == nil)
        let summary = try await server.http.get("/api/v1/sessions/FRESH-00001").json()
        #expect(summary["startFailed"]?["code"] == "broken", "\(summary)")
    }

    @Test("Damaged heads are rebuilt from the lines, and a damaged keyframe from the lines before it")
    func others() async throws {
        try await record()
        try await edit { db in
            try db.execute(sql: "UPDATE head SET columns = x'00' WHERE first = 256")
            try db.execute(sql: "UPDATE keyframe SET state = x'00'")
            try db.execute(
                sql: "INSERT INTO keyframe (session, store, seq, state) SELECT row, 'main', 450, x'00' FROM session"
            )
            try db.execute(
                sql: "INSERT INTO base (session, store, seq, kind) SELECT row, 'main', 450, 4 FROM session")
        }
        let server = try TestServer(in: folder)
        #expect(try await events(server, "&fields=head").count == 900)
        #expect(try await server.http.get(Self.path + "/states/470").json() == ["n": 470])
    }

    @Test("Lines that are damaged before sealing are set aside with one message; others are sealed")
    func unsealed() async throws {
        try await record()
        try await edit { db in
            try db.execute(sql: "UPDATE session SET sealed = 0")
            for table in ["chunk", "head", "name"] { try db.execute(sql: "DELETE FROM \(table)") }
            try db.execute(sql: "DELETE FROM batch")
            let bytes = { (lines: ArraySlice<EventLine>) in Data(lines.flatMap { $0.bytes + [10] }) }
            for (first, blob) in [
                (0, bytes(Self.lines[..<300])), (300, Data("{\"seq\":".utf8)), (600, bytes(Self.lines[600...])),
            ] {
                try db.execute(
                    sql: "INSERT INTO batch (session, first, next, lines) SELECT row, ?, ?, ? FROM session",
                    arguments: [first, min(900, first + 300), blob])
            }
        }
        for _ in 0..<2 {
            let server = try TestServer(in: folder)
            try await server.until { try await $0.get(Self.path).json()["setAside"] != nil }
            let summary = try await server.http.get(Self.path).json()
            #expect(summary["setAside"]?.string?.contains("events 300–599 are damaged") == true)
            let found = try await events(server)
            #expect(found.count == 601 && found[300] != Self.lines[300].bytes)
            #expect(found[301...] == Self.lines[600...].map(\.bytes)[...])
            // The damaged bytes are kept, for a person who can repair them.
            let other = Sample.hello(Sample.header("OTHER-0000\(server.server.port)"))
            try await server.recorded(Sample.counting(to: 3), other).close()
            try await server.until {
                try await $0.get("/api/v1/sessions/\(other.header.session)").json()["sealed"] == 3
            }
        }
        var problems: [String] = []
        _ = try ArchiveCheck.run(
            .folder(folder.url), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
        #expect(problems.contains { $0.contains("is set aside") })
        let server = try TestServer(in: folder)
        #expect(try await server.http.send("DELETE", Self.path).status == 204)
        try await server.until { try await $0.get(Self.path).status == 404 }
    }

    @Test("A damaged database page affects only sessions with lines on it")
    func page() async throws {
        try await record()
        let file = folder.url.appendingPathComponent(DataFolder.archive)
        let root = try await DatabaseQueue(path: file.path).read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'head'")
        }
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64((try #require(root) - 1) * 4_096))
        try handle.write(contentsOf: Data(repeating: 0xee, count: 4_096))
        try handle.close()

        let server = try TestServer(in: folder)
        // One of several chunks, and one that is sealed when its app disconnects.
        for count in [900, 3] {
            let other = Sample.hello(Sample.header("OTHER-0000\(count)"))
            let lines = (0..<count).map { Sample.full($0, ["n": .number(.init($0))]) }
            try await server.recorded([Sample.start(0)] + lines.dropFirst(), other).close()
            let path = "/api/v1/sessions/\(other.header.session)"
            // Its heads can't be stored.
            try await server.until { try await $0.get(path).json()["setAside"] != nil }
            #expect(try await server.http.get("/healthz").status == 200)
            let last = JSON.number(.init(count - 1))
            #expect(try await server.http.get(path + "/states/\(count - 1)").json() == ["n": last])
        }
        _ = try await server.recorded(Sample.counting(to: 3), Sample.hello(Sample.header("OTHER-00002")))
    }

    @Test("A damaged index, or another table, hides no session, event or state")
    func indexes() async throws {
        try await record()
        let file = folder.url.appendingPathComponent(DataFolder.archive)
        let sound = try Data(contentsOf: file)
        let roots = try await DatabaseQueue(path: file.path).read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0
                        AND (tbl_name IN ('session', 'chunk', 'batch', 'base', 'keyframe', 'head') AND type = 'index'
                            OR name IN ('device', 'trouble', 'base'))
                    """
            ).map { (name: $0["name"] as String, page: $0["rootpage"] as Int) }
        }
        #expect(roots.count > 8)
        for (name, page) in roots {
            var damaged = sound
            damaged.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0xee, count: 4_096))
            try damaged.write(to: file)
            let server = try TestServer(in: folder)
            defer { server.server.stop() }
            #expect(try await server.http.get("/api/v1/sessions").json()["sessions"]?.array?.count == 1, "\(name)")
            #expect(
                try await server.http.get(Self.path + "/tape").lines.dropFirst() == Self.lines.map(\.bytes)[...],
                "\(name)")
            for seq in [0, 255, 300, 899] {
                let state = try await server.http.get(Self.path + "/states/\(seq)")
                let n = try seq == 0 ? nil : state.json()["n"]
                #expect(state.status == 200 && (seq == 0 || n == .number(.init(seq))), "\(name) \(seq)")
            }
        }
    }

    @Test("A changed digit of a line that isn't sealed is no other event")
    func digit() async throws {
        try await record()
        try await edit { db in
            try db.execute(sql: "UPDATE batch SET lines = CAST(replace(CAST(lines AS TEXT), '880', '881') AS BLOB)")
            #expect(db.changesCount > 0)
        }
        let server = try TestServer(in: folder)
        let found = try await events(server).map { try EventLine(parsing: $0) }
        #expect(found.last?.kind == .gap && found.last?["reason"] == "damaged")
        #expect(Set(found.filter { $0.kind != .gap }.map(\.bytes)).isSubset(of: Set(Self.lines.map(\.bytes))))
    }

    @Test("Searches read no line of a damaged batch that has no checksum")
    func unchecked() async throws {
        try await record()
        try await edit { db in
            let lines: [UInt8] = Self.lines[768...].flatMap { $0.bytes + [10] }
            var damaged = lines
            damaged[damaged.count / 2] = 0xf4
            try db.execute(sql: "DELETE FROM batch")
            try db.execute(
                sql: "INSERT INTO batch (session, first, next, lines) SELECT row, 768, 900, ? FROM session",
                arguments: [Data(damaged)])
        }
        let server = try TestServer(in: folder)
        for query in ["q=counter", "re=counter", "re=.", "-q=nowhere", "fields=head", ""] {
            let found = try await server.http.get(Self.path + "/events?from=768&limit=1000&\(query)").lines
            // Like without a query: one line stands for all of them.
            for line in found { #expect(try JSON(parsing: line)["event"] == "gap", "\(query)") }
        }
    }

    @Test("A session that can't be read doesn't prevent listing and deleting others")
    func rows() async throws {
        let server = try TestServer(in: folder)
        for number in 0..<4 {
            let hello = Sample.hello(Sample.header("SESSION-000\(number)"))
            try await server.recorded(Sample.counting(to: 3), hello).close()
        }
        server.server.stop()
        try await edit { db in
            try db.execute(sql: "UPDATE session SET next = 'damaged' WHERE id = 'SESSION-0002'")
        }
        let again = try TestServer(in: folder)
        var (found, path): ([String], String?) = ([], "/api/v1/sessions?limit=2")
        while let next = path {
            let page = try await again.http.get(next).json()
            found += page["sessions"]?.array?.compactMap { $0["session"]?.string } ?? []
            path = page["next"]?.string.map { "/api/v1/sessions?limit=2&before=\($0)" }
        }
        #expect(found == ["SESSION-0003", "SESSION-0001", "SESSION-0000"])
        let pruned = try await again.http.send("POST", "/api/v1/prune", body: ["maxSize": 0, "dryRun": true])
        #expect(pruned.status == 200, "\(pruned.text)")
    }

    @Test("A session whose sealing failed twice at one event is not tried again")
    func crash() async throws {
        try await record()
        try await edit { db in try db.execute(sql: "UPDATE session SET sealed = 0") }
        let marker = folder.url.appendingPathComponent("working")
        for start in 1...3 {
            // The state that a process leaves if it ends during its work.
            if start < 3 { try Data("1 0 \(start) ----".utf8).write(to: marker) }
            // Nothing is sealed while another process has locked the archive; the start doesn't wait.
            let archive = try SQLiteArchive(folder.url.appendingPathComponent(DataFolder.archive), sync: .normal)
            let working = try CrashMarker(marker.path)
            let left = working.left
            #expect(left == (start < 3 ? CrashMarker.Work(session: 1, seq: 0) : nil))
            #expect(working.ends == (start < 3 ? start + 1 : 0))
            if let left { #expect(try archive.noteTrouble(left.session, at: left.seq, "died") == start) }
            #expect(try archive.unsealed().isEmpty == (start > 1))
            try archive.close()
        }
        let server = try TestServer(in: folder)
        let summary = try await server.http.get(Self.path).json()
        #expect(summary["setAside"] == "died" && summary["sealed"] == 0)
        #expect(try await server.http.get(Self.path + "/events/1").status == 200)
    }

    @Test("The note of a failure is deleted once the lines are sealed")
    func overcome() async throws {
        try await record()
        try await edit { db in
            try db.execute(sql: "INSERT INTO trouble SELECT row, 800, 1, 'the first time' FROM session")
        }
        let server = try TestServer(in: folder)
        try await server.sealed(900)
        server.server.stop()
        let archive = try DatabaseQueue(path: folder.url.appendingPathComponent(DataFolder.archive).path)
        let troubles = try await archive.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM trouble") }
        #expect(troubles == 0)
    }

    @Test("A server that crashed while working on a session reports that at its next start")
    func died() async throws {
        try await record()
        try await edit { db in
            try db.execute(sql: "UPDATE session SET sealed = 0")
            try db.execute(sql: "INSERT INTO trouble SELECT row, 0, 1, 'the first time' FROM session")
        }
        try Data("1 0 15 ----".utf8).write(to: folder.url.appendingPathComponent("working"))
        let server = try TestServer(in: folder)
        try await server.until {
            try await $0.get(Self.path).json()["setAside"]
                == "16 servers in a row ended while they were sealing the lines"
        }
    }

    @Test("Crashes count only in a row and at one place: a single one may have been a kill")
    func ends() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.url.appendingPathComponent("working").path
        let (one, other) = (CrashMarker.Work(session: 1, seq: 0), CrashMarker.Work(session: 1, seq: 256))
        for count in 0..<3 {
            let marker = try CrashMarker(path)
            #expect(marker.ends == count)
            marker.begin(one)
        }
        try CrashMarker(path).begin(other)
        let marker = try CrashMarker(path)
        #expect(marker.left == other && marker.ends == 1)
        marker.begin(other)
        marker.end()
        #expect(try CrashMarker(path).left == nil)
    }

    @Test("A failure at another event restarts the count")
    func trouble() throws {
        let folder = try TestArchive()
        let archive = folder.archive
        #expect(try archive.noteTrouble(1, at: 0, "a") == 1)
        #expect(try archive.noteTrouble(1, at: 256, "b") == 1)
        #expect(try archive.noteTrouble(1, at: 256, "c\0d") == 2)
        #expect(try archive.troubles() == [1: RetryState(seq: 256, count: 2)])
    }

    @Test("A damaged base line is requested twice, not forever")
    func base() throws {
        let archive = try TestArchive(.sqlite)
        let session = try archive.record(Sample.counting(to: 10))
        try #require(archive.archive as? SQLiteArchive).pool.write { db in
            try db.execute(
                sql: "INSERT INTO base (session, store, seq, kind) VALUES (?, 'main', 5, 0)",
                arguments: [session.row])
        }
        guard
            case .state(let state) = try archive.states.state(of: archive.tapes[session], store: "main", after: 4),
            case .broken = try archive.states.state(of: archive.tapes[session], store: "main", after: 7)
        else { throw Ended(description: "no answer") }
        #expect(try state.json() == ["n": 4])
    }
}
