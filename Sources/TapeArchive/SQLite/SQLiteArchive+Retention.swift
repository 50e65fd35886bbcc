import GRDB

extension SQLiteArchive {
    package func plan(_ retention: Retention, now: Int, isConnected: (_ session: String) -> Bool) throws -> RemovalPlan
    {
        try pool.read { db in
            try retention.plan(
                Self.expendable(uploadedBefore: Retention.uploadedBefore(now), db), size: Self.size(db), now: now,
                isConnected: isConnected
            ) { try Self.size(of: $0.row, db) }
        }
    }

    package func size() throws -> Int {
        try pool.read(Self.size)
    }

    static func expendable(uploadedBefore: Int, _ db: Database) throws -> [PruneCandidate] {
        let sql = """
            SELECT row, id, app, lastSeen, next, NOT hidden AND newest = 1 AS isNewest
            FROM (SELECT *, row_number() OVER (PARTITION BY app, hidden ORDER BY lastSeen DESC, row DESC) AS newest
                FROM session)
            WHERE kept = 0 AND (hidden = 0 OR lastSeen < ?)
                AND id NOT IN (SELECT session FROM startState WHERE session IS NOT NULL)
            ORDER BY lastSeen, row
            """
        // A session that can't be read is kept, and doesn't protect others.
        return try Row.fetchAll(db, sql: sql, arguments: [uploadedBefore]).compactMap { row in
            try? PruneCandidate(
                row: row.get("row"), id: row.get("id"), app: row.text("app"), lastSeen: row.get("lastSeen"),
                events: row.get("next"), isNewest: row.get("isNewest"))
        }
    }

    private static func size(_ db: Database) throws -> Int {
        func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        let used = try pragma("page_count") - pragma("freelist_count")
        // Space that is about to be freed doesn't count. It is an estimate, and may exceed the total.
        let leaving = try Int64.fetchAll(db, sql: leaving)
        return try max(0, used * pragma("page_size") - leaving.reduce(0) { try $0 + Self.size(of: $1, db) })
    }

    package func remove(_ sessions: [PruneCandidate]) throws -> Set<String> {
        let removed = try writeFreeing { db in
            var removed: Set<String> = []
            for session in sessions {
                try db.cachedStatement(sql: "DELETE FROM session WHERE row = ? AND kept = 0 AND lastSeen = ?")
                    .execute(arguments: [session.row, session.lastSeen])
                guard db.changesCount == 1 else { continue }
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO deleted (id, row) VALUES (?, ?)")
                    .execute(arguments: [session.id, session.row])
                removed.insert(session.id)
            }
            return removed
        }
        for session in sessions where removed.contains(session.id) {
            acknowledged?.noteDeleted(session.id, row: session.row)
        }
        return removed
    }

    /// The bytes of a session's rows: the columns, plus keys, index entries and unused space on pages for each row.
    private static func size(of session: Int64, _ db: Database) throws -> Int {
        try rowSizes.reduce(0) { total, table in
            let sql = "SELECT coalesce(sum(\(table.size)), 0) FROM \(table.name) WHERE session = ?"
            return try total + (Int.fetchOne(db.cachedStatement(sql: sql), arguments: [session]) ?? 0)
        }
    }

    /// Every table with rows of a session, and the SQL for the size of a row.
    static let rowSizes: [(name: String, size: String)] = [
        ("batch", blob("lines")), ("chunk", blob("lines")), ("head", blob("columns")), ("keyframe", blob("state")),
        ("base", "50"), ("name", "length(text) + 40"),
        // The table stores the text, and the index stores each of its trigrams.
        ("word", "6 * length(text) + 60"), ("bookmark", "length(text) + 60"), ("trouble", "length(reason) + 40"),
    ]

    /// A blob that doesn't fit onto a shared page takes most of a page.
    private static func blob(_ column: String) -> String {
        "length(\(column)) + min(length(\(column)) / 8, 1024) + 40"
    }
}
