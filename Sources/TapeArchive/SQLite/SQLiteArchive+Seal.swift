import Foundation
package import GRDB
import TapeEngine

extension SQLiteArchive {
    static func seal(_ seal: Seal, _ db: Database) throws -> Outcome {
        // The same statement checks and updates the position.
        try db.cachedStatement(sql: "UPDATE session SET sealed = ? WHERE row = ? AND sealed = ?")
            .execute(arguments: [seal.covers.upperBound, seal.session, seal.covers.lowerBound])
        guard db.changesCount == 1 else { return .dropped }
        for (table, column, blob) in [("chunk", "lines", seal.lines), ("head", "columns", seal.columns)] {
            try db.cachedStatement(
                sql: "INSERT INTO \(table) (session, first, next, \(column)) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [seal.session, seal.covers.lowerBound, seal.covers.upperBound, Data(blob)])
        }
        for (offset, name) in seal.names.enumerated() {
            try db.cachedStatement(sql: "INSERT INTO name (session, number, text) VALUES (?, ?, ?)")
                .execute(arguments: [seal.session, seal.firstName + offset, name.stored])
        }
        for word in seal.words {
            try db.cachedStatement(sql: "INSERT INTO word (session, text) VALUES (?, ?)")
                .execute(arguments: [seal.session, Self.word(word)])
        }
        for (store, seq) in seal.noBases {
            try db.cachedStatement(sql: "DELETE FROM base WHERE session = ? AND store = ? AND seq = ? AND kind = ?")
                .execute(arguments: [seal.session, store.stored, seq, StateBase.Kind.state.rawValue])
        }
        for keyframe in seal.keyframes { try keep(keyframe, seal.session, db) }
        // The condition on `first` lets SQLite use the index. Without it every later batch of the session would be
        // read each time.
        try db.cachedStatement(sql: "DELETE FROM batch WHERE session = ?1 AND first < ?2 AND next <= ?2")
            .execute(arguments: [seal.session, seal.covers.upperBound])
        // Sealing succeeded, so the earlier failure was not caused by the lines.
        try db.cachedStatement(sql: "DELETE FROM trouble WHERE session = ? AND seq < ?")
            .execute(arguments: [seal.session, seal.covers.upperBound])
        return .sealed
    }

    package static func keep(_ keyframe: Seal.Keyframe, _ session: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO keyframe (session, store, seq, state) VALUES (?, ?, ?, ?)")
            .execute(arguments: [session, keyframe.store.stored, keyframe.seq, Data(keyframe.state)])
        try db.cachedStatement(sql: "INSERT INTO base (session, store, seq, kind) VALUES (?, ?, ?, ?)")
            .execute(arguments: [session, keyframe.store.stored, keyframe.seq, StateBase.Kind.keyframe.rawValue])
    }

    package func columns(of session: Int64, at seq: Int) throws -> [UInt8]? {
        try readAround { db, hint in try Self.sealed("head", "columns", hint, session, seq, db) }.map {
            try Self.content($0.get("columns"))
        }
    }

    package func names(of session: Int64, from number: Int) throws -> [String] {
        try readAround { db, hint in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT stored.text, stored.session FROM \(Self.stored("name", hint))
                        WHERE place.session = ? AND place.number >= ? ORDER BY place.number
                        """),
                arguments: [session, number]
            ).map { try $0.checked(of: session).text("text") }
        }
    }

    package func keyframe(of session: Int64, store: String, at seq: Int) throws -> [UInt8]? {
        try readAround { db, hint in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT stored.state, stored.session FROM \(Self.stored("keyframe", hint))
                        WHERE place.session = ? AND place.store = ? AND place.seq = ?
                        """),
                arguments: [session, store.stored, seq]
            ).map { try $0.checked(of: session).get("state") as Data }
        }.map(Self.content)
    }

    package func keyframeSizes(of session: Int64) throws -> [(store: String, seq: Int, bytes: Int)] {
        try readAround { db, hint in
            let sql =
                "SELECT store, seq, substr(state, 1, 18) AS head FROM keyframe\(hint) WHERE session = ? ORDER BY seq"
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [session]).map { row in
                (try row.text("store"), try row.get("seq"), try Zstd.size(of: [UInt8](row.get("head") as Data)))
            }
        }
    }

    package func unsealed() throws -> [String] {
        try pool.read { db in
            let sql = """
                SELECT id FROM session WHERE sealed < next AND NOT hidden
                    AND row NOT IN (SELECT session FROM trouble WHERE count > 1) ORDER BY row
                """
            return try String.fetchAll(db, sql: sql)
        }
    }

    /// The row of a table of sealed data with `seq`; the first row if the tape starts after `seq`.
    ///
    /// - Parameters:
    ///   - column: What the row has besides its place.
    ///   - hint: What to add to the table's name.
    static func sealed(
        _ table: String, _ column: String, _ hint: String, _ session: Int64, _ seq: Int, _ db: Database
    ) throws -> Row? {
        let sql = """
            SELECT stored.\(column), stored.session, stored.first, stored.next FROM \(stored(table, hint))
            WHERE place.session = ?1 AND place.first = coalesce(
                (SELECT max(first) FROM \(table)\(hint) WHERE session = ?1 AND first <= ?2),
                (SELECT min(first) FROM \(table)\(hint) WHERE session = ?1))
            """
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [session, seq])
        return try row.flatMap { try $0.checked(of: session).get("next") > seq ? $0 : nil }
    }

    /// A text in the form that the word index accepts: without NUL.
    static func word(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing("\0", with: " ") : text
    }

    static func content(_ frame: Data) throws -> [UInt8] {
        try Zstd.decompress([UInt8](frame))
    }
}
