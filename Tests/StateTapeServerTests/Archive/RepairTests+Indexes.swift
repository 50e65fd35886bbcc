import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

// Damaged indexes: what a server reads past them, and what it makes anew.
extension RepairTests {
    /// Damages of an index that is one page.
    enum IndexDamage: CaseIterable {
        case noEntries, otherRow

        func change(_ page: inout [UInt8]) {
            switch self {
            case .noEntries: page.replaceSubrange(3..<5, with: [0, 0])
            case .otherRow:
                // The last byte of the page is that of the first entry, and each entry ends with its row's number.
                let entry = Array("SESSION-1009".utf8) + [10]
                let place = page.firstRange(of: entry).map { $0.upperBound - 1 }
                page[place ?? 0] = 11
            }
        }
    }

    @Test(
        "A damaged index by which sessions are found is made anew when a server starts",
        arguments: [
            ("sqlite_autoindex_session_1", "session", IndexDamage.noEntries),
            ("sqlite_autoindex_session_1", "session", .otherRow), ("sessionReceived", "session", .noEntries),
            ("sessionOfDevice", "session", .noEntries), ("sqlite_autoindex_device_1", "device", .noEntries),
            ("sqlite_autoindex_deleted_1", "deleted", .noEntries),
            ("sqlite_autoindex_startState_1", "startState", .noEntries),
        ])
    func index(_ index: String, _ table: String, _ damage: IndexDamage) throws {
        let source = try catalogued()
        try self.damage(source, pages: [root(index, source)], by: damage.change)
        let archive = try SQLiteArchive(file(source), sync: .normal)
        #expect(archive.rebuiltIndexes == [table])
        for id in ids() { #expect(try archive.session(id)?.id == id) }
        #expect(try archive.sessions(SessionQuery(limit: 1_000)).sessions.count == ids().count)
        try archive.close()
        #expect(try check(source) == [])
    }

    @Test(
        "A server doesn't start with an index of what people made that it can't make anew",
        arguments: ["sqlite_autoindex_device_1", "sqlite_autoindex_deleted_1", "sqlite_autoindex_startState_1"])
    func unreadable(_ index: String) throws {
        let source = try catalogued()
        try damage(source, pages: [root(index, source)])
        let error = #expect(throws: ServerError.self) { try SQLiteArchive(file(source), sync: .normal) }
        #expect("\(try #require(error))".contains("statetape repair"))
        let copy = try repair(source, "copy").folder
        #expect(try check(copy) == [])
        #expect(try sessions(copy).count == ids().count)
    }

    /// Sessions, a nickname, a launch state, and a session that was deleted.
    private func catalogued() throws -> URL {
        try recorded("source", ids()) { archive in
            let raw = RawArchive(archive: archive.archive)
            try raw.run("INSERT INTO device VALUES ('device', 'name')")
            try raw.run("INSERT INTO deleted VALUES ('SESSION-GONE', 1000)")
            try raw.run("INSERT INTO startState VALUES ('one', 'app', 'phone', '{}', 'latest', NULL, NULL, 0)")
        }
    }

    @Test(
        "Each index is read around, and made anew once a server has looked for damage",
        arguments: [
            ("chunkOfSession", false), ("chunkOfSession", true), ("headOfSession", false), ("headOfSession", true),
            ("batchOfSession", false), ("batchOfSession", true), ("baseOfSession", false), ("wordText", false),
        ])
    func found(_ index: String, leadsToOthers: Bool) throws {
        let source = try recorded("source", ids(1), events: 600) { archive in
            _ = try archive.record(Sample.counting(to: 300), Sample.header(ids(2)[1]))
            for id in ids(2) {
                let session = try #require(try archive.archive.session(id))
                let content = Bookmark.Content(seq: 3, text: id, author: nil)
                _ = try archive.archive.mark(session.row, content, made: 1, most: 9)
                if index != "batchOfSession" { try archive.seal(session) }
            }
        }
        let contents = try archive(source) { try $0.contents() }
        let queue = try DatabaseQueue(path: file(source).path)
        try queue.write { db in
            if index == "wordText" {
                try db.execute(sql: "INSERT INTO wordText(wordText) VALUES ('delete-all')")
            } else {
                try moveRows(besides: index, leadsToOthers, db)
            }
        }
        try queue.close()
        #expect(try check(source) != [])
        try archive(source) { archive in
            #expect(try archive.contents() == contents)
            let search = try #require(try archive.damageSearch())
            let found = try search.run()
            #expect(found.rebuilt.count == 1 && found.problems == [], "\(found)")
            #expect(try archive.contents() == contents)
        }
        #expect(try check(source) == [])
    }

    /// Gives the rows of an index's table other numbers, which the index doesn't learn.
    private func moveRows(besides index: String, _ leadsToOthers: Bool, _ db: Database) throws {
        let schema = try #require(
            try Row.fetchOne(db, sql: "SELECT * FROM sqlite_schema WHERE name = ?", arguments: [index]))
        let table: String = schema["tbl_name"]
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(sql: "DELETE FROM sqlite_schema WHERE name = ?", arguments: [index])
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        try db.execute(sql: "UPDATE \(table) SET rowid = 1000 + (SELECT max(rowid) FROM \(table)) - rowid")
        if leadsToOthers { try db.execute(sql: "UPDATE \(table) SET rowid = rowid - 999") }
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(
            sql: "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)",
            arguments: StatementArguments(schema.databaseValues))
        try db.execute(sql: "PRAGMA writable_schema = RESET")
    }

    @Test("Nothing is made anew in a file whose pages are damaged, and a search can be stopped")
    func pages() throws {
        let source = try recorded("source", ids())
        try damage(source, pages: [root("chunkOfSession", source), root("batch", source)])
        try archive(source) { archive in
            let search = try #require(try archive.damageSearch())
            let found = try search.run()
            #expect(found.rebuilt == [] && !found.problems.isEmpty)
            search.stop()
            #expect(throws: (any Error).self) { try search.run() }
        }
    }

    private func archive<Value>(_ folder: URL, _ body: (SQLiteArchive) throws -> Value) throws -> Value {
        let archive = try SQLiteArchive(file(folder), sync: .normal)
        defer { try? archive.close() }
        return try body(archive)
    }
}

extension SQLiteArchive {
    /// What the indexes lead to in the first session.
    fileprivate func contents() throws -> [String] {
        try ["SESSION-1000", "SESSION-1001"].flatMap { id in
            let session = try #require(try session(id))
            let batch = try batch(of: session.row, from: 0, joinedTo: 0)
            let names = try names(of: session.row, from: 0)
            return [
                "\(batch?.next ?? -1) \(batch?.bytes.count ?? -1)", "\(names)",
                "\(try columns(of: session.row, at: 0)?.count ?? -1)",
                "\(try stores(of: session.row, upTo: 0))", "\(try bookmarks(of: session.row).map(\.content.text))",
            ]
        }
    }
}
