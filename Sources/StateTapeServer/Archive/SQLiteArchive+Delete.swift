#if Server
    import GRDB

    extension SQLiteArchive {
        func delete(_ session: Session) throws {
            try pool.write { db in
                try db.execute(sql: "DELETE FROM session WHERE row = ?", arguments: [session.row])
                try db.execute(
                    sql: "INSERT OR REPLACE INTO deleted (id, row) VALUES (?, ?)", arguments: [session.id, session.row])
            }
        }

        func sweep() throws -> Bool {
            try pool.write { db in
                let find = "SELECT row FROM deleted WHERE row IS NOT NULL LIMIT 1"
                guard let session = try Int64.fetchOne(db, sql: find) else { return false }
                var freed = 0
                for (table, count) in [("batch", 16), ("base", 1_000)] {
                    try db.execute(
                        sql: """
                            DELETE FROM \(table) WHERE rowid IN
                                (SELECT rowid FROM \(table) WHERE session = ? LIMIT \(count))
                            """,
                        arguments: [session])
                    freed += db.changesCount
                }
                if freed == 0 {
                    try db.execute(sql: "UPDATE deleted SET row = NULL WHERE row = ?", arguments: [session])
                }
                try db.execute(sql: "PRAGMA incremental_vacuum(1024)")
                return true
            }
        }
    }
#endif
