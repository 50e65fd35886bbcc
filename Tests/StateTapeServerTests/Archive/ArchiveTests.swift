import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite struct ArchiveTests {
    private let folder = TemporaryFolder()

    private func open() throws -> any Archive { try Engine.chosen.open(folder.url, sync: .full) }

    private func openSQLite() throws -> SQLiteArchive { try #require(open() as? SQLiteArchive) }

    private func take(
        _ archive: any Archive, _ header: Header = Sample.header(), key: String = "key", owner: String = "one"
    ) throws -> Session {
        let opening = SessionOpening(header: header, keyHash: SHA256.hash(key), owner: owner)
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 1_000).first else {
            throw Problem(500, "refused", "the session was not opened")
        }
        return session
    }

    private func append(
        _ archive: any Archive, _ session: Session, _ lines: [EventLine], owner: String = "one"
    ) throws -> Outcome? {
        try archive.commit([.append(Batch(session: session.row, owner: owner, lines: lines))], received: 2_000).first
    }

    private func all(_ archive: any Archive, _ session: Session) throws -> [EventLine] {
        var lines: [EventLine] = []
        try Tapes(archive)[session].each(in: 0..<Int.max) { line in
            lines.append(line)
            return true
        }
        return lines
    }

    @Test("Reading a session that is deleted meanwhile is an error, not the end of its tape", arguments: [false, true])
    func deletedWhileRead(isSealed: Bool) throws {
        let archive = try TestArchive()
        let session = try archive.record(Sample.counting(to: 10))
        if isSealed { try archive.seal(session) }
        let held = try #require(try archive.archive.session(session.id))
        // Without the lines that the others have read.
        let tape = Tapes(archive.archive)[held]
        var export = try TapeExport(tape, tape.seqs, archive.states)
        #expect(try export.piece() != nil)
        try archive.archive.delete(held)
        while try archive.archive.sweep() {}
        #expect(throws: DeletedSession.self) { try export.piece() }
        #expect(throws: DeletedSession.self) { try tape.heads(from: 3) }
        #expect(try tape.lines(from: 10) == nil)
    }

    @Test("Committed data is unchanged after the archive is closed and opened again")
    func reopen() throws {
        let lines = Sample.counting(to: 1_000) + [Sample.gap(1_009, count: 10), Sample.end(1_010)]
        var archive = try open()
        let session = try take(archive)
        for start in stride(from: 0, to: lines.count, by: 300) {
            guard
                case .appended? = try append(archive, session, Array(lines[start..<min(start + 300, lines.count)]))
            else { return #expect(Bool(false)) }
        }
        try archive.close()
        archive = try open()
        let kept = try #require(try archive.session(session.id))
        #expect(try all(archive, kept).map(\.bytes) == lines.map(\.bytes))
        #expect(kept.next == 1_011 && kept.ended == "closed" && !kept.complete && kept.duration == 1_010)
        #expect(kept.received == 1_000 && kept.lastSeen == 2_000)
        #expect(kept.bytes == lines.reduce(0) { $0 + $1.bytes.count + 1 })
        #expect(kept.header == Sample.header())
    }

    @Test("Small batches are read together up to a size, but not across a hole")
    func joined() throws {
        let archive = try open()
        let session = try take(archive)
        let lines = Sample.counting(to: 30)
        for start in stride(from: 0, to: 30, by: 3) {
            _ = try append(archive, session, Array(lines[start..<start + 3]))
        }
        func read(from seq: Int, joinedTo bytes: Int) throws -> Range<Int>? {
            let batch = try archive.batch(of: session.row, from: seq, joinedTo: bytes)
            let expected = batch.map { lines[$0.first..<$0.next].flatMap { $0.bytes + [UInt8(ascii: "\n")] } }
            #expect(batch?.bytes == expected)
            return batch.map { $0.first..<$0.next }
        }
        let six = lines[9..<15].reduce(0) { $0 + $1.bytes.count + 1 }
        #expect(try read(from: 10, joinedTo: 0) == 9..<12)
        #expect(try read(from: 10, joinedTo: six) == 9..<15)
        #expect(try read(from: 10, joinedTo: six - 1) == 9..<12)
        #expect(try read(from: 0, joinedTo: .max) == 0..<30)
        #expect(try read(from: 30, joinedTo: .max) == nil)
        guard let sqlite = archive as? SQLiteArchive else { return }
        try sqlite.pool.write { try $0.execute(sql: "DELETE FROM batch WHERE first = 15") }
        #expect(try read(from: 10, joinedTo: .max) == 9..<15)
        #expect(try read(from: 16, joinedTo: .max) == 18..<30)
    }

    @Test("Another key can't open a session; the same key can, and the previous owner can't append any more")
    func owners() throws {
        let archive = try open()
        let first = try take(archive)
        _ = try append(archive, first, [Sample.start(0)])
        let other = SessionOpening(header: Sample.header(), keyHash: SHA256.hash("other"), owner: "thief")
        guard case .refused? = try archive.commit([.open(other)], received: 0).first else {
            return #expect(Bool(false))
        }
        let second = try take(archive, Sample.header(labels: ["branch": "main"]), owner: "two")
        #expect(second.next == 1 && second.header.labels == ["branch": "main"])
        guard case .dropped? = try append(archive, first, [Sample.count(1, to: 1)]) else {
            return #expect(Bool(false))
        }
        guard case .appended? = try append(archive, second, [Sample.count(1, to: 1)], owner: "two") else {
            return #expect(Bool(false))
        }
        #expect(try all(archive, second).map(\.seq) == [0, 1])
    }

    @Test("A group is committed completely or not at all", .enabled(if: Engine.isSQLite))
    func transaction() throws {
        let archive = try openSQLite()
        let session = try take(archive)
        let bad = Batch(session: -1, owner: "one", lines: [Sample.start(0)])
        try archive.pool.write { db in try db.execute(sql: "DROP TABLE base") }
        #expect(throws: (any Error).self) {
            try archive.commit(
                [.append(Batch(session: session.row, owner: "one", lines: [Sample.start(0)])), .append(bad)],
                received: 0)
        }
        #expect(try archive.session(session.id)?.next == 0)
        #expect(try all(archive, session).isEmpty)
    }

    @Test(
        "Lines take few rows, the file can be shrunk, and commits wait for the disk", .enabled(if: Engine.isSQLite))
    func shape() throws {
        let archive = try openSQLite()
        let session = try take(archive)
        _ = try append(archive, session, Sample.counting(to: 1_000))
        let (rows, vacuum) = try archive.pool.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM batch"),
                try Int.fetchOne(db, sql: "PRAGMA auto_vacuum")
            )
        }
        #expect(rows == 4 && vacuum == 2)
        let sync = try archive.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        #expect(sync == 2)
    }

    @Test(
        "An archive of a newer version, or another file, is refused with one sentence",
        .enabled(if: Engine.isSQLite))
    func newer() throws {
        let archive = try openSQLite()
        try archive.pool.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
        try archive.close()
        let error = #expect(throws: ServerError.self) { try open() }
        #expect(error?.code == .newerDatabase && error?.description.contains("newer version") == true)
        let file = folder.url.appendingPathComponent("text")
        try Data(String(repeating: "no database ", count: 1_000).utf8).write(to: file)
        let other = #expect(throws: ServerError.self) { try SQLiteArchive(file, sync: .full) }
        #expect(other?.code == .archive)
    }

    @Test("Sessions are listed newest first, with every filter, page by page")
    func list() throws {
        let archive = try open()
        for number in 0..<5 {
            let header = Sample.header(
                "SESSION-000\(number)", app: number == 2 ? "other" : "com.example.todo",
                labels: number > 2 ? ["branch": "main"] : [:])
            _ = try take(archive, header)
        }
        func ids(_ edit: (inout SessionQuery) -> Void) throws -> [Int] {
            var query = SessionQuery()
            edit(&query)
            return try archive.sessions(query).sessions.compactMap { Int($0.id.suffix(1)) }
        }
        #expect(try ids { _ in } == [4, 3, 2, 1, 0])
        #expect(try ids { $0.app = "other" } == [2])
        #expect(try ids { $0.labels = [("branch", "main")] } == [4, 3])
        #expect(try ids { $0.labels = [("branch", "other")] }.isEmpty)
        #expect(try ids { $0.text = "RED PHONE" }.count == 5)
        #expect(try ids { $0.only = ["SESSION-0001"] } == [1])
        #expect(try ids { $0.except = ["SESSION-0001"] } == [4, 3, 2, 0])
        #expect(try ids { $0.limit = 2 } == [4, 3])
        var pages: [[Int]] = []
        var query = SessionQuery()
        query.limit = 2
        repeat {
            let page = try archive.sessions(query)
            pages.append(page.sessions.compactMap { Int($0.id.suffix(1)) })
            query.after = page.next
        } while query.after != nil
        #expect(pages == [[4, 3], [2, 1], [0]])
        #expect(try archive.ids(beginningWith: "SESSION-000").count == 2)
        #expect(try archive.ids(beginningWith: "SESSION-0004") == ["SESSION-0004"])
    }

    @Test("The list is in the order of receipt, also if a clock was set back; at equal times in that of arrival")
    func order() throws {
        let archive = try open()
        for (number, received) in [5_000, 9_000, 5_000, 1_000, 9_000].enumerated() {
            let opening = SessionOpening(header: Sample.header("SESSION-000\(number)"), keyHash: [1], owner: "one")
            _ = try archive.commit([.open(opening)], received: received)
        }
        var ids: [String] = []
        var query = SessionQuery()
        query.limit = 1
        repeat {
            let page = try archive.sessions(query)
            ids += page.sessions.map { String($0.id.suffix(1)) }
            query.after = page.next
        } while query.after != nil
        #expect(ids == ["4", "1", "2", "0", "3"])
    }

    @Test("The place of a session in the list has a text, and no other text is one")
    func place() {
        let place = SessionCursor(received: 1_732_412_345_678, row: 42)
        #expect(SessionCursor(place.description) == place)
        for text in ["", "-", "42", "1-2-3", "-1-2", "1--2", "x-1", "1-x", "1-99999999999999999999", " 1-2"] {
            #expect(SessionCursor(text) == nil, "\(text)")
        }
    }

    @Test("Title, labels and the kept mark can be set, and a session can be deleted with all its lines")
    func editing() throws {
        let archive = try open()
        let session = try take(archive, Sample.header(labels: ["a": "1"]))
        _ = try append(archive, session, Sample.counting(to: 3))
        try archive.edit(session.row, title: "The bug", labels: nil, kept: true)
        var edited = try #require(try archive.session(session.id))
        #expect(edited.title == "The bug" && edited.kept && edited.header.labels == ["a": "1"])
        try archive.edit(session.row, title: nil, labels: ["b": "2"], kept: nil)
        edited = try #require(try archive.session(session.id))
        #expect(edited.title == "The bug" && edited.header.labels == ["b": "2"])
        try archive.delete(session)
        #expect(try archive.session(session.id) == nil)
        let again = SessionOpening(header: Sample.header(), keyHash: SHA256.hash("key"), owner: "two")
        guard case .deleted? = try archive.commit([.open(again)], received: 0).first else {
            return #expect(Bool(false))
        }
        while try archive.sweep() {}
        guard let sqlite = archive as? SQLiteArchive else { return }
        let rows = try sqlite.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM batch) + (SELECT count(*) FROM base)")
        }
        #expect(rows == 0)
    }
}
