package import TapeArchive

extension PostgresArchive {
    package func damaged(of session: Int64, at seq: Int) throws -> Range<Int>? {
        try readAtOnce { connection in
            guard let session = try Self.stored(session, connection), session.first <= seq, seq < session.next
            else { return nil }
            let isSealed = seq < session.sealed
            let (table, from, to) =
                isSealed ? ("chunk", session.first, session.sealed) : ("batch", session.sealed, session.next)
            // Uses only small columns, since the lines themselves may be unreadable.
            let before = try connection.run(
                "SELECT first, next FROM \(table) WHERE session = $1 AND first <= $2 ORDER BY first DESC LIMIT 1",
                .int(session.row), .int(seq)
            ).first.map { (first: try $0.int("first"), next: try $0.int("next")) }
            let after = try connection.run(
                "SELECT first FROM \(table) WHERE session = $1 AND first > $2 ORDER BY first LIMIT 1",
                .int(session.row), .int(seq)
            ).first?.int("first")
            // The end of the previous row, if no row covers the seq.
            let start = before.map { $0.next <= seq ? $0.next : $0.first } ?? from
            return min(seq, max(from, start))..<max(seq + 1, min(to, after ?? to))
        }
    }

    package func isHeld(_ session: Int64, _ seq: Int) throws -> Bool {
        let held = { (table: String) in
            """
            EXISTS (SELECT FROM \(table) WHERE session = $1 AND next > $2 AND first =
                (SELECT max(first) FROM \(table) WHERE session = $1 AND first <= $2))
            """
        }
        let sql = "SELECT \(held("chunk")) OR \(held("batch")) AS held"
        return try read { try $0.run(sql, .int(session), .int(seq))[0].bool("held") }
    }

    /// What the database itself knows to be wrong: indexes that it doesn't trust or has not, and rows without the other
    /// half.
    package func damage() throws -> [String] {
        let sql = """
            SELECT format('the index %s is invalid', indexrelid::regclass) AS problem
            FROM pg_index JOIN pg_class ON oid = indexrelid
            WHERE NOT indisvalid AND relnamespace =
                (SELECT relnamespace FROM pg_class WHERE oid = 'session'::regclass)
            UNION ALL
            SELECT format('the index %s is missing', name) FROM unnest($1::text[]) AS name
            WHERE NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relkind = 'i' AND relnamespace =
                (SELECT relnamespace FROM pg_class WHERE oid = 'session'::regclass))
            UNION ALL
            SELECT format('the session in row %s has no progress', row) FROM session s
            WHERE NOT EXISTS (SELECT FROM progress WHERE session = s.row)
            """
        return try read { try $0.run(sql, .texts(PostgresSchema.indexes)).map { try $0.text("problem") } }
    }

    package func noteTrouble(_ session: Int64, at seq: Int, _ reason: String) throws -> Int {
        // A failure at another event restarts the count.
        let sql = """
            INSERT INTO trouble AS t (session, seq, count, reason) VALUES ($1, $2, 1, $3)
            ON CONFLICT (session) DO UPDATE SET
                count = CASE WHEN t.seq = excluded.seq THEN t.count + 1 ELSE 1 END, seq = excluded.seq,
                reason = excluded.reason
            RETURNING count
            """
        return try write {
            try $0.run(sql, .int(session), .int(seq), .utf8(Self.word(reason).text)).first?.int("count") ?? 1
        }
    }

    package func troubles() throws -> [Int64: RetryState] {
        try read {
            try $0.run("SELECT session, seq, count FROM trouble").reduce(into: [:]) { troubles, row in
                troubles[try row.int64("session")] = RetryState(seq: try row.int("seq"), count: try row.int("count"))
            }
        }
    }

    package func troubles(of session: Int64) throws -> [String] {
        try read {
            try $0.run("SELECT seq, reason FROM trouble WHERE session = $1 AND count > 1", .int(session)).map {
                "is set aside since event \(try $0.int("seq")): \(try $0.text("reason"))"
            }
        }
    }
}
