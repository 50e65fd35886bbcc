import GRDB

extension SQLiteArchive {
    package func noteTrouble(_ session: Int64, at seq: Int, _ reason: String) throws -> Int {
        try write { db in
            // A failure at another event restarts the count.
            let sql = """
                INSERT INTO trouble (session, seq, count, reason) VALUES (?1, ?2, 1, ?3)
                ON CONFLICT (session) DO UPDATE SET
                    count = CASE WHEN seq = excluded.seq THEN count + 1 ELSE 1 END,
                    seq = excluded.seq, reason = excluded.reason
                RETURNING count
                """
            return try Int.fetchOne(db, sql: sql, arguments: [session, seq, Self.word(reason)]) ?? 1
        }
    }

    package func troubles() throws -> [Int64: RetryState] {
        try pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM trouble").reduce(into: [:]) { troubles, row in
                troubles[try row.get("session")] = RetryState(seq: try row.get("seq"), count: try row.get("count"))
            }
        }
    }
}
