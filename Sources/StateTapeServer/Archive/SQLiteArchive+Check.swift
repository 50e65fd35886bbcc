#if Server
    import Foundation
    import GRDB

    extension SQLiteArchive {
        /// What SQLite finds wrong with the file.
        func damage() throws -> [String] {
            try pool.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") }.filter { $0 != "ok" }
        }

        /// The ids of all sessions, hidden ones with them.
        func allSessions() throws -> [String] {
            try pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM session ORDER BY row") }
        }

        /// Where the keyframes lie that follow on these events.
        func keyframes(of session: Int64, after seqs: Range<Int>) throws -> [(store: String, seq: Int)] {
            try pool.read { db in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: "SELECT store, seq FROM keyframe WHERE session = ? AND seq >= ? AND seq < ?"),
                    arguments: [session, seqs.lowerBound, seqs.upperBound]
                ).map { ($0["store"], $0["seq"]) }
            }
        }

        /// Where the lines end that `seq` is stored with; nil if it isn't stored.
        func end(of session: Int64, at seq: Int) throws -> Int? {
            try pool.read { db in
                try ["chunk", "batch"].compactMap { table in
                    let sql = "SELECT max(next) FROM \(table) WHERE session = ? AND first <= ? AND next > ?"
                    return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [session, seq, seq])
                }.first
            }
        }
    }
#endif
