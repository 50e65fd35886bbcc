import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// What a repair saves, names and leaves. Each row is a damage.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Engine.isSQLite)) struct RepairTests {
    let temporary = TemporaryFolder()
    private static let count = 60

    func folder(_ name: String) -> URL { temporary.url.appendingPathComponent(name) }

    func file(_ folder: URL, _ suffix: String = "") -> URL {
        folder.appendingPathComponent(DataFolder.archive + suffix)
    }

    /// A folder as a killed server leaves it, or as one that was stopped.
    func recorded(
        _ name: String, _ sessions: [String], events: Int = 20, isKilled: Bool = false,
        _ body: (TestArchive) throws -> Void = { _ in }
    ) throws -> URL {
        let archive = try TestArchive(.sqlite)
        for session in sessions { _ = try archive.record(Sample.counting(to: events), Sample.header(session)) }
        try body(archive)
        if !isKilled { try archive.archive.close() }
        try FileManager.default.createDirectory(at: temporary.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: archive.folder.url, to: folder(name))
        if isKilled { try archive.archive.close() }
        try FileManager.default.removeItem(at: folder(name).appendingPathComponent(DataFolder.reserve))
        return folder(name)
    }

    /// A compressed state, in hexadecimal digits.
    private static let otherState = (try? Zstd.compress(Array(#"{"other":1}"#.utf8)))!.map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()

    func ids(_ count: Int = RepairTests.count) -> [String] { (0..<count).map { "SESSION-\(1_000 + $0)" } }

    func repair(_ source: URL, _ name: String) throws -> (folder: URL, problems: [String]) {
        let counts = try ArchiveRepair.run(
            from: source, to: folder(name), logger: PrivatePostgres.logger, tell: { _ in }, progress: { _ in })
        return (folder(name), counts.problems.first)
    }

    func check(_ folder: URL) throws -> [String] {
        var problems: [String] = []
        _ = try ArchiveCheck.run(
            .folder(folder), logger: PrivatePostgres.logger, tell: { problems.append($0) }, progress: { _ in })
        return problems
    }

    func sessions(_ folder: URL) throws -> [String: Int] {
        let archive = try SQLiteArchive(reading: file(folder))
        defer { try? archive.close() }
        return try archive.sessions(SessionQuery(limit: 1_000)).sessions.reduce(into: [:]) { $0[$1.id] = $1.next }
    }

    /// Notes a session in the file beside an archive, as if SQLite's log had had it.
    private func acknowledge(_ session: String, _ next: Int, row: Int64, in folder: URL) throws {
        let path = folder.appendingPathComponent(DataFolder.acknowledged).path
        var ends = try Acknowledged.read(path)
        ends[row] = Acknowledged.End(id: session, next: next)
        try Acknowledged(path, of: ends[0]?.id ?? "").keep(ends.filter { $0.key > 0 })
    }

    /// - Parameter change: Changes the bytes of a page; to zeros without it.
    func damage(
        _ folder: URL, pages: [Int],
        by change: (inout [UInt8]) -> Void = { $0 = [UInt8](repeating: 0, count: $0.count) }
    ) throws {
        var bytes = try [UInt8](Data(contentsOf: file(folder)))
        for page in pages {
            let place = (page - 1) * 4_096..<page * 4_096
            var changed = Array(bytes[place])
            change(&changed)
            bytes.replaceSubrange(place, with: changed)
        }
        try Data(bytes).write(to: file(folder))
    }

    func root(_ table: String, _ folder: URL) throws -> Int {
        let queue = try DatabaseQueue(path: file(folder).path)
        defer { try? queue.close() }
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return try #require(try queue.read { try Int.fetchOne($0, sql: sql, arguments: [table]) })
    }

    @Test("A session that is only known is named by a repair, and by each command and server after it")
    func lost() throws {
        let source = try recorded("source", ids(3))
        try acknowledge("SESSION-LOST", 7, row: 4, in: source)
        let sentence = "session SESSION-LOST is missing: events 0–6 were acknowledged, and are missing"
        var (last, problems) = try repair(source, "first")
        #expect(problems == [sentence])
        (last, problems) = try repair(last, "second")
        #expect(problems == [sentence])
        for _ in 0..<3 {
            #expect(try check(last) == [sentence])
            let archive = try SQLiteArchive(file(last), sync: .normal)
            #expect(archive.lost.map(\.description) == [sentence])
            try archive.close()
        }
        // A new session doesn't take its place.
        let archive = try SQLiteArchive(file(last), sync: .normal)
        let opening = SessionOpening(header: Sample.header("SESSION-NEW"), keyHash: Sample.key, owner: "one")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 1).first else {
            throw Ended(description: "refused")
        }
        let lines = Sample.counting(to: 3)
        _ = try archive.commit([.append(Batch(session: session.row, owner: "one", lines: lines))], received: 1)
        try archive.close()
        #expect(try check(last) == [sentence])
        // Until its app comes back.
        let again = try SQLiteArchive(file(last), sync: .normal)
        let back = SessionOpening(header: Sample.header("SESSION-LOST"), keyHash: Sample.key, owner: "one")
        guard case .opened(let found)? = try again.commit([.open(back)], received: 1).first else {
            throw Ended(description: "refused")
        }
        let all = Batch(session: found.row, owner: "one", lines: Sample.counting(to: 7))
        _ = try again.commit([.append(all)], received: 1)
        try again.close()
        #expect(try check(last) == [])
    }

    @Test("Of another archive in its place, nothing is taken for what was lost")
    func replaced() throws {
        let old = try recorded("old", ["SESSION-OLD"], events: 30, isKilled: true)
        let new = try recorded("new", ["SESSION-NEW"], events: 10)
        try FileManager.default.removeItem(at: file(old))
        try FileManager.default.copyItem(at: file(new), to: file(old))
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(at: file(old, suffix)) }
        let (repaired, problems) = try repair(old, "repaired")
        #expect(try sessions(repaired) == ["SESSION-NEW": 10])
        #expect(problems.count == 3 && problems[0].contains("another archive than the folder had before"))
        #expect(problems[1].hasPrefix("session SESSION-OLD is missing: events 0–29 "))
    }

    @Test("A stopped repair leaves nothing, and what a killed one leaves is refused with the way out")
    func stopped() async throws {
        let source = try recorded("source", ids())
        var steps = 0
        func run(stopAt step: Int) throws {
            steps = 0
            _ = try ArchiveRepair.run(
                from: source, to: folder("target"), logger: PrivatePostgres.logger, tell: { _ in }
            ) { _ in
                steps += 1
                if steps == step { throw RepairStopped() }
            }
        }
        try run(stopAt: -1)
        try FileManager.default.removeItem(at: folder("target"))
        for step in stride(from: 1, through: steps, by: max(1, steps / 12)) {
            #expect(throws: RepairStopped.self) { try run(stopAt: step) }
            #expect(!FileManager.default.fileExists(atPath: folder("target").path), "\(step)")
        }
        let (repaired, _) = try repair(source, "repaired")
        try FileManager.default.createDirectory(
            at: repaired.appendingPathComponent(DataFolder.repair), withIntermediateDirectories: false)
        let refused = "didn't finish: delete it, and repair the damaged folder again"
        func expect(_ title: String, _ body: () throws -> Void) {
            do {
                try body()
                Issue.record("\(title) takes it for whole")
            } catch { #expect("\(error)".contains(refused), "\(title): \(error)") }
        }
        expect("check") { _ = try check(repaired) }
        expect("repair") { _ = try repair(repaired, "again") }
        expect("serve") { _ = try SQLiteArchive(file(repaired), sync: .normal) }
        for (from, to) in [(source, repaired), (repaired, folder("moved"))] {
            expect("move") {
                _ = try ArchiveMove.run(
                    from: .folder(from), to: .folder(to), logger: PrivatePostgres.logger, tell: { _ in },
                    progress: { _ in })
            }
        }
    }

    @Test("Rows are saved to which no page leads", arguments: [["session"], ["batch"], ["session", "batch"]])
    func loose(_ tables: [String]) throws {
        // Enough for a page above those of the rows.
        let source = try recorded("source", ids(), events: 300)
        let roots = try tables.map { try root($0, source) }
        try damage(source, pages: roots)
        let (repaired, problems) = try repair(source, "repaired")
        #expect(!problems.isEmpty)
        #expect(try sessions(repaired) == ids().reduce(into: [:]) { $0[$1] = 300 })
        #expect(try check(repaired) == [])
        #expect(try repair(repaired, "again").problems == [])
    }

    @Test("Deleted sessions don't come back, whatever pages are used")
    func deleted() throws {
        let source = try recorded("source", ids(), isKilled: true) { archive in
            for id in ids().prefix(3) {
                try archive.archive.delete(try #require(try archive.archive.session(id)))
            }
        }
        let before = try Acknowledged.read(source.appendingPathComponent(DataFolder.acknowledged).path)
        #expect(before.values.filter(\.isDeleted).count == 3)
        // The page that tells it is lost with others.
        let queue = try DatabaseQueue(path: file(source).path)
        try queue.write { try $0.execute(sql: "DELETE FROM deleted") }
        for id in ids().prefix(2) {
            try queue.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO session (row, id, key, owner, app, header, received, lastSeen, next)
                        SELECT ?, ?, key, owner, app, header, received, lastSeen, next FROM session LIMIT 1
                        """, arguments: [id == ids()[0] ? 1 : 2, id])
            }
        }
        try queue.close()
        try damage(source, pages: [try root("batch", source)])
        let (repaired, _) = try repair(source, "repaired")
        #expect(Set(try sessions(repaired).keys) == Set(ids().dropFirst(3)))
        #expect(try check(repaired) == [])
    }

    @Test("A check of what was repaired finds nothing more")
    func clean() throws {
        let source = try recorded("source", ids(3)) { archive in
            let raw = RawArchive(archive: archive.archive)
            try raw.run("UPDATE session SET duration = 0, bytes = 0, lastSeen = -5, ended = 'never' WHERE row = 1")
            try raw.run("UPDATE session SET complete = 0, marked = -1, received = 'x', version = -1 WHERE row = 2")
            try raw.run("DELETE FROM session WHERE row = 3")
            try raw.run("INSERT INTO bookmark VALUES (1, 1, 4000, 'far', NULL, 1, 0)")
            try raw.run(
                "INSERT INTO startState VALUES ('S', 'app', 'phone', '{}', 'replay', 'SESSION-1000', 4000, 0)")
        }
        let (repaired, _) = try repair(source, "repaired")
        #expect(try check(repaired) == [])
        #expect(try repair(repaired, "again").problems == [])
    }

    @Test("The database of another program is refused, and so is a target in the damaged folder")
    func refused() throws {
        let source = try recorded("source", ids(1))
        for target in ["source/inside", "source/a/b"] {
            #expect(throws: ServerError.self) { try repair(source, target) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: source.path).allSatisfy { !$0.hasPrefix("a/") })
        let foreign = folder("foreign")
        try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: file(foreign).path)
        try queue.write { try $0.execute(sql: "CREATE TABLE mine (a); CREATE TABLE session (a)") }
        try queue.close()
        #expect { try repair(foreign, "repaired") } throws: {
            "\($0)".contains("a database of another program")
        }
        #expect(!FileManager.default.fileExists(atPath: folder("repaired").path))
    }

    @Test("Rows with numbers that no server writes are copied, too", arguments: [-1, -5, Int64.min, 0, 1, Int64.max])
    func numbers(_ row: Int64) throws {
        let source = try recorded("source", ids(1)) { archive in
            let session = try #require(try archive.archive.session(ids(1)[0]))
            _ = try archive.archive.mark(session.row, .init(seq: 3, text: "here", author: nil), made: 1, most: 9)
            let raw = RawArchive(archive: archive.archive)
            try raw.run("UPDATE bookmark SET rowid = \(row)")
            try raw.run("INSERT INTO device (rowid, id, nickname) VALUES (\(row), 'phone', 'Mine')")
        }
        let (repaired, _) = try repair(source, "repaired")
        let queue = try DatabaseQueue(path: file(repaired).path)
        defer { try? queue.close() }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bookmark, device") } == 1)
    }

    @Test(
        "What can be read, and contradicts the rest, is named by a repair, and isn't in the new folder",
        arguments: [
            ("DELETE FROM bookmark", "session SESSION-1000: its count of bookmarks is 1, but it has 0"),
            (
                "UPDATE keyframe SET state = x'\(otherState)' WHERE rowid = (SELECT max(rowid) FROM keyframe)",
                "is left out"
            ),
            ("UPDATE session SET kept = 5", "only 0 and 1 are valid"),
            ("UPDATE session SET id = 'SESSION-1001' WHERE row = 1", "its header says “SESSION-1000”"),
            // One damaged byte changes a value's type.
            ("UPDATE session SET complete = '' WHERE row = 1", "session: “complete” of SESSION-1000 can't be read"),
            ("UPDATE session SET title = x'00ff' WHERE row = 1", "session: “title” of SESSION-1000 can't be read"),
            ("UPDATE bookmark SET number = '' WHERE rowid = 1", "the table bookmark: “number” of a row can't be read"),
            ("UPDATE startState SET once = ''", "the table startState: “once” of LAUNCH can't be read, and the row"),
            ("UPDATE startState SET labels = '{' WHERE id = 'LAUNCH'", "launch state is damaged, and can't be"),
            // Bytes equal no text, so nobody finds what they name.
            ("UPDATE session SET app = CAST(app AS BLOB) WHERE row = 1", "another type in its column app, in row 1"),
            ("UPDATE session SET lastSeen = CAST(lastSeen AS BLOB)", "of another type in its column lastSeen"),
            ("INSERT INTO device VALUES (x'61', 'name')", "the table device has a value of another type"),
            ("INSERT INTO deleted VALUES (CAST('SESSION-GONE' AS BLOB), 999)", "of another type in its column id"),
        ])
    func contradictions(_ damage: String, _ sentence: String) throws {
        let source = try recorded("source", ids(1), events: 600) { archive in
            let session = try #require(try archive.archive.session(ids(1)[0]))
            _ = try archive.archive.mark(session.row, .init(seq: 3, text: "here", author: nil), made: 1, most: 9)
            try OddSessions(archive.archive).record()
            let raw = RawArchive(archive: archive.archive)
            try raw.run("INSERT INTO startState VALUES ('LAUNCH', 'app', 'phone', '{}', 'latest', NULL, NULL, 0)")
            try raw.run(damage)
        }
        let (repaired, problems) = try repair(source, "repaired")
        #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
        #expect(try check(repaired) == [])
        #expect(try sessions(repaired).values.contains(600))
    }

    @Test(
        "Tables that aren't the archive's name the way out, to a server and to a check",
        arguments: [
            ("DELETE FROM grdb_migrations", true), ("DROP TABLE identity", true), ("DROP TABLE chunk", false),
            ("DROP TABLE base; CREATE VIEW base AS SELECT 1 AS session", true),
        ])
    func schema(_ damage: String, isRefusedByCheck: Bool) throws {
        let source = try recorded("source", ids(2))
        let queue = try DatabaseQueue(path: file(source).path)
        try queue.write { try $0.execute(sql: damage) }
        try queue.close()
        func expectWay(_ body: () throws -> Void) {
            #expect { try body() } throws: { "\($0)".contains("“statetape repair --data ") }
        }
        if isRefusedByCheck { expectWay { _ = try check(source) } } else { #expect(try check(source) != []) }
        expectWay { _ = try SQLiteArchive(file(source), sync: .normal) }
        #expect(Set(try sessions(repair(source, "repaired").folder).keys) == Set(ids(2)))
    }

    @Test("A tree that leads back to rows that were read ends")
    func circle() throws {
        let path = temporary.url.appendingPathComponent("tree")
        try FileManager.default.createDirectory(at: temporary.url, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: path.path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE many (text)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO many VALUES (hex(randomblob(400)))") }
        }
        try queue.close()
        // The first page with rows, in the place of all after the second.
        var file = try Data(contentsOf: path)
        func page(_ number: Int) -> Range<Int> { number * 4_096..<(number + 1) * 4_096 }
        let leaves = (2..<file.count / 4_096).filter { file[$0 * 4_096] == 13 }
        let first = Data(file[page(leaves[0])])
        file.replaceSubrange(page(leaves[1]), with: Data(count: 4_096))
        for leaf in leaves.dropFirst(2) { file.replaceSubrange(page(leaf), with: first) }
        try file.write(to: path)
        let damaged = try DatabaseQueue(path: path.path)
        var found: [String] = []
        let isWhole = try damaged.unsafeRead { db in
            var rows = RowsAround(db, "many", ["text"])
            return try rows.each { row in
                found.append(String.fromDatabaseValue(row[0]) ?? "")
                guard found.count < 10_000 else { throw Ended(description: "it never ends") }
            }
        }
        #expect(!isWhole && !found.isEmpty && Set(found).count * 2 >= found.count)
    }
}
