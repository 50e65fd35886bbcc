#if Server
    import TapeEngine
    import Foundation
    import GRDB

    extension SQLiteArchive {
        /// The damage that SQLite finds in the file.
        func damage() throws -> [String] {
            try pool.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") }.filter { $0 != "ok" }
        }

        /// The ids of all sessions, including hidden ones.
        func allSessions() throws -> [String] {
            try pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM session ORDER BY row") }
        }

        func brokenSeqs(of session: Int64) throws -> Set<Int> {
            try readAround { db, hint in
                let sql = "SELECT seq FROM base\(hint) WHERE session = ? AND kind = ?"
                return try Int.fetchSet(db, sql: sql, arguments: [session, StateBase.Kind.broken.rawValue])
            }
        }

        func keyframes(of session: Int64, in seqs: Range<Int>) throws -> [(store: String, seq: Int)] {
            try readAround { db, hint in
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: "SELECT store, seq FROM keyframe\(hint) WHERE session = ? AND seq >= ? AND seq < ?"),
                    arguments: [session, seqs.lowerBound, seqs.upperBound]
                ).map { (try $0.text("store"), try $0.get("seq")) }
            }
        }

        /// The failures of background work on a session.
        func troubles(of session: Int64) throws -> [String] {
            try pool.read { db in
                try Row.fetchAll(
                    db, sql: "SELECT seq, reason FROM trouble WHERE session = ? AND count > 1", arguments: [session]
                ).map { "is set aside since event \(try $0.get("seq") as Int): \(try $0.text("reason"))" }
            }
        }
    }
#endif
