package import TapeArchive

extension PostgresArchive {
    /// The duration of a slice of freeing.
    private static let slice = Duration.milliseconds(8)
    /// Rows to free between two checks of the clock.
    private static let rows = 32
    /// Every table with rows of a session, besides those that a deletion empties at once.
    private static let tables = [
        "batch", "chunk", "head", "keyframe", "base", "name", "word", "bookmark", "trouble", "label",
    ]

    package func plan(_ retention: Retention, now: Int, isConnected: (_ session: String) -> Bool) throws -> RemovalPlan
    {
        let uploadedBefore = Retention.uploadedBefore(now)
        let sql = """
            SELECT s.row, s.id, s.app, p.seen, p.next, p.stored,
                NOT s.hidden AND 1 = row_number()
                    OVER (PARTITION BY s.app, s.hidden ORDER BY p.seen DESC, s.row DESC) AS newest,
                s.kept OR s.hidden AND p.seen >= $1
                    OR s.id IN (SELECT session FROM launch WHERE session IS NOT NULL) AS spared
            FROM session s JOIN progress p ON p.session = s.row ORDER BY p.seen, s.row
            """
        let rows = try read { try $0.run(sql, .int(uploadedBefore)) }
        var bytes: [Int64: Int] = [:]
        let sessions = try rows.compactMap { row -> PruneCandidate? in
            bytes[try row.int64("row")] = try row.int("stored")
            if try row.bool("spared") { return nil }
            return try PruneCandidate(
                row: row.int64("row"), id: row.text("id"), app: row.text("app"), lastSeen: row.int("seen"),
                events: row.int("next"), isNewest: row.bool("newest"))
        }
        return retention.plan(
            sessions, size: bytes.values.reduce(0, +), now: now, isConnected: isConnected
        ) { bytes[$0.row] ?? 0 }
    }

    /// The bytes of the rows: the tables themselves don't shrink when rows are deleted.
    package func size() throws -> Int {
        try read { try $0.run("SELECT coalesce(sum(stored), 0)::bigint AS size FROM progress")[0].int("size") }
    }

    package func delete(_ session: Session) throws {
        try write(isRepeatable: true) { try Self.delete(session.row, session.id, $0) }
    }

    package func remove(_ sessions: [PruneCandidate]) throws -> Set<String> {
        // Not repeatable: what an earlier try has removed would be missing in the answer.
        try write { connection in
            let found = try connection.run(
                """
                SELECT s.row FROM session s JOIN progress p ON p.session = s.row
                JOIN unnest($1::bigint[], $2::bigint[]) AS e(row, seen) ON e.row = s.row AND e.seen = p.seen
                WHERE NOT s.kept AND NOT EXISTS (
                    SELECT FROM app a WHERE a.session = s.row AND a.owner = p.owner AND a.server <> $3)
                ORDER BY s.row FOR UPDATE OF s, p
                """, .ints(sessions.map(\.row)), .ints(sessions.map(\.lastSeen)), .text(server))
            let rows = Set(try found.map { try $0.int64("row") })
            let removed = sessions.filter { rows.contains($0.row) }
            for session in removed { try Self.delete(session.row, session.id, connection) }
            return Set(removed.map(\.id))
        }
    }

    private static func delete(_ session: Int64, _ id: String, _ connection: PostgresConnection) throws {
        try connection.run("DELETE FROM progress WHERE session = $1", .int(session))
        try connection.run("DELETE FROM session WHERE row = $1", .int(session))
        try connection.run(
            "INSERT INTO deleted (id, row) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET row = excluded.row",
            .utf8(id), .int(session))
    }

    package func sweep() throws -> Bool {
        try write(isRepeatable: true) { connection in
            // Two servers at once would only wait for each other.
            let lock = "SELECT pg_try_advisory_xact_lock(\(PostgresSchema.sweepLockClass), hashtext($1)) AS done"
            guard try connection.run(lock, .text(schema))[0].bool("done") else { return false }
            let end = ContinuousClock.now + Self.slice
            // A session that is there keeps its lines, whatever a damaged note says.
            let find = """
                SELECT row FROM deleted d
                WHERE row IS NOT NULL AND NOT EXISTS (SELECT FROM session s WHERE s.row = d.row) LIMIT 1
                """
            while let session = try connection.run(find).first?.int64("row") {
                for table in Self.tables {
                    // PostgreSQL uses the freed space again, after its own VACUUM.
                    let delete = """
                        DELETE FROM \(table) WHERE ctid = ANY(
                            ARRAY(SELECT ctid FROM \(table) WHERE session = $1 LIMIT \(Self.rows)))
                        """
                    repeat {
                        if ContinuousClock.now >= end { return true }
                    } while try connection.run(delete, .int(session)).changed > 0
                }
                try connection.run("UPDATE deleted SET row = NULL WHERE row = $1", .int(session))
            }
            return false
        }
    }

    package func diskUse() throws -> DiskUse {
        let sql = """
            SELECT (SELECT count(*) FROM session) AS sessions,
                (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
                WHERE relkind = 'r' AND relnamespace =
                    (SELECT relnamespace FROM pg_class WHERE oid = 'session'::regclass)) AS bytes
            """
        let row = try read { try $0.run(sql)[0] }
        // PostgreSQL has no cheap figure for the space that it will use again.
        return DiskUse(sessions: try row.int("sessions"), bytes: try row.int("bytes"), freeBytes: 0)
    }
}
