import GRDB

extension SQLiteArchive {
    /// The duration of a slice, without the final wait for the disk.
    private static let slice = Duration.milliseconds(8)
    /// Rows and pages to free between two checks of the clock.
    private static let rows = 8
    private static let pages = 64
    /// The part of all pages that may stay free for new data.
    private static let sparePart = 16
    /// The rows of deleted sessions that have lines left. A session that is there keeps its lines, whatever a damaged
    /// note says.
    static let leaving = "SELECT row FROM deleted WHERE row IS NOT NULL AND row NOT IN (SELECT row FROM session)"

    package func delete(_ session: Session) throws {
        try writeEdit(isFreeing: true) { db in
            try db.execute(sql: "DELETE FROM session WHERE row = ?", arguments: [session.row])
            try db.execute(
                sql: "INSERT OR REPLACE INTO deleted (id, row) VALUES (?, ?)", arguments: [session.id, session.row])
        }
        acknowledged?.noteDeleted(session.id, row: session.row)
    }

    package func sweep() throws -> Bool {
        var isSmaller = false
        let isLeft = try writeFreeing { db in
            let end = ContinuousClock.now + Self.slice
            let find = "\(Self.leaving) LIMIT 1"
            while let session = try Int64.fetchOne(db, sql: find) {
                for table in Self.rowSizes {
                    repeat {
                        if ContinuousClock.now >= end { return true }
                        try db.cachedStatement(
                            sql: """
                                DELETE FROM \(table.name) WHERE rowid IN
                                    (SELECT rowid FROM \(table.name) WHERE session = ? LIMIT \(Self.rows))
                                """
                        ).execute(arguments: [session])
                    } while db.changesCount > 0
                }
                try db.execute(sql: "UPDATE deleted SET row = NULL WHERE row = ?", arguments: [session])
            }
            while try Self.hasTooMuchSpare(db) {
                if ContinuousClock.now >= end { return true }
                try db.execute(sql: "PRAGMA incremental_vacuum(\(Self.pages))")
                isSmaller = true
            }
            return false
        }
        // The file shrinks only when the log is merged into it.
        if isSmaller, !isLeft { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.passive) } }
        return isLeft
    }

    private static func hasTooMuchSpare(_ db: Database) throws -> Bool {
        let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let spare = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return spare > all / sparePart
    }
}
