import Foundation
import GRDB
import TapeEngine

extension SQLiteArchive {
    /// The damage that SQLite finds in the file, what is missing of its structure, and whether searches find what
    /// they should.
    package func damage() throws -> [String] {
        let replaced =
            isReplaced
            ? ["it is another archive than the folder had before, so what is in the log may not belong to it"] : []
        return try Self.integrityProblems(pool) + pool.read(Self.missing) + WrongTypes.problems(pool) + replaced
            + Self.searchProblems(pool)
    }

    static func searchProblems(_ reader: some DatabaseReader) -> [String] {
        do {
            if try reader.read(isSearchable) { return [] }
            return ["the index for searches is not that of the texts, so searches may find too little"]
        } catch {
            return ["the index for searches can't be read: \(Damage.reason(error))"]
        }
    }

    /// SQLite gives up where a table or index can't be begun: then each is looked at, so that one is named.
    static func integrityProblems(_ reader: some DatabaseReader) throws -> [String] {
        do {
            let found = try reader.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            // One text may be several lines, of which the first names the database, which has one name only.
            return found.flatMap { $0.split(separator: "\n").map(String.init) }
                .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
        } catch  where Damage.isMeant(by: error) {
            let select = "SELECT type, name, tbl_name FROM sqlite_schema WHERE rootpage > 0 ORDER BY type DESC"
            let parts = try reader.read { try Row.fetchAll($0, sql: select) }
            let problems = try parts.compactMap { part -> String? in
                let (type, name, table) = (try part.text("type"), try part.text("name"), try part.text("tbl_name"))
                let hint = type == "index" ? "INDEXED BY \"\(name)\"" : "NOT INDEXED"
                // One without a name of its own can't be asked for.
                guard !name.hasPrefix("sqlite_autoindex") else { return nil }
                do {
                    // Each by itself, since damage ends what is read at once.
                    _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \"\(table)\" \(hint)") }
                    return nil
                } catch  where Damage.isMeant(by: error) {
                    return type == "index"
                        ? "the index \(name) can't be read: reading goes on without it, slowly"
                        : "the table \(name) can't be read"
                } catch {
                    return nil
                }
            }
            return problems.isEmpty ? [Damage.reason(error)] : problems
        }
    }

    /// The tables, indexes and triggers that a new archive has, and this one has not.
    static func missing(_ db: Database) throws -> [String] {
        let fresh = try DatabaseQueue()
        defer { try? fresh.close() }
        try Schema.migrator.migrate(fresh)
        func parts(_ db: Database) throws -> [String] {
            try String.fetchAll(db, sql: "SELECT type || ' ' || name || ' on ' || tbl_name FROM sqlite_schema")
        }
        let found = Set(try parts(db))
        return try fresh.read(parts).filter { !found.contains($0) }.map { "the \($0) is missing" }
    }

    /// Compares the index with one that is made from the texts now. Tables of a connection change no file.
    private static func isSearchable(_ db: Database) throws -> Bool {
        let tables = ["storedTerms", "expectedTerms", "expectedText"]
        defer { for table in tables { try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)") } }
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.expectedText USING fts5(text, content='', tokenize='trigram');
                INSERT INTO temp.expectedText(rowid, text) SELECT row, text FROM main.word;
                CREATE VIRTUAL TABLE temp.storedTerms USING fts5vocab('main', 'wordText', 'row');
                CREATE VIRTUAL TABLE temp.expectedTerms USING fts5vocab('temp', 'expectedText', 'row');
                """)
        // The ids tell apart what the terms of all texts together don't.
        let differences = [
            ("SELECT * FROM temp.storedTerms", "SELECT * FROM temp.expectedTerms"),
            ("SELECT id FROM main.wordText_docsize", "SELECT row FROM main.word"),
        ].flatMap { ["\($0) EXCEPT \($1)", "\($1) EXCEPT \($0)"] }
        return try differences.allSatisfy {
            try Bool.fetchOne(db, sql: "SELECT EXISTS (\($0))") == false
        }
    }

    /// The ids of all sessions, including hidden ones.
    package func allSessions() throws -> [String] {
        try pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM session ORDER BY row") }
    }

    package func brokenSeqs(of session: Int64) throws -> Set<Int> {
        try readAround { db, hint in
            let sql = "SELECT seq FROM base\(hint) WHERE session = ? AND kind = ?"
            return try Int.fetchSet(db, sql: sql, arguments: [session, StateBase.Kind.broken.rawValue])
        }
    }

    package func keyframes(of session: Int64, in seqs: Range<Int>) throws -> [(store: String, seq: Int)] {
        try readAround { db, hint in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT store, seq FROM keyframe\(hint) WHERE session = ? AND seq >= ? AND seq < ?"),
                arguments: [session, seqs.lowerBound, seqs.upperBound]
            ).map { (try $0.text("store"), try $0.get("seq")) }
        }
    }

    /// The failures of background work on a session.
    package func troubles(of session: Int64) throws -> [String] {
        try pool.read { db in
            try Row.fetchAll(
                db, sql: "SELECT seq, reason FROM trouble WHERE session = ? AND count > 1", arguments: [session]
            ).map { "is set aside since event \(try $0.get("seq") as Int): \(try $0.text("reason"))" }
        }
    }
}
