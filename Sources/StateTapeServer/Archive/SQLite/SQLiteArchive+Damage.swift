#if Server
    import GRDB

    extension SQLiteArchive {
        func damaged(of session: Int64, at seq: Int) throws -> Range<Int>? {
            try pool.read { db in
                let find = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM session WHERE row = ?")
                guard let session = try Row.fetchOne(find, arguments: [session]).map({ try Session($0, headers) }),
                    session.first <= seq, seq < session.next
                else { return nil }
                let isSealed = seq < session.sealed
                let (table, from, to) =
                    isSealed ? ("chunk", session.first, session.sealed) : ("batch", session.sealed, session.next)
                // Uses only the index, since the rows themselves may be unreadable.
                let first = try Int.fetchOne(
                    db, sql: "SELECT max(first) FROM \(table) WHERE session = ? AND first <= ?",
                    arguments: [session.row, seq])
                let after = try Int.fetchOne(
                    db, sql: "SELECT min(first) FROM \(table) WHERE session = ? AND first > ?",
                    arguments: [session.row, seq])
                // The end of the previous row, if no row covers the seq.
                let end = try? Int.fetchOne(
                    db, sql: "SELECT next FROM \(table) WHERE session = ? AND first = ?",
                    arguments: [session.row, first])
                let start = end.flatMap { $0 <= seq ? $0 : nil } ?? first ?? from
                return min(seq, max(from, start))..<max(seq + 1, min(to, after ?? to))
            }
        }

        func isHeld(_ session: Int64, _ seq: Int) throws -> Bool {
            try pool.read { db in
                try ["chunk", "batch"].contains { table in
                    let sql = """
                        SELECT next FROM \(table) WHERE session = ?1 AND first =
                            (SELECT max(first) FROM \(table) WHERE session = ?1 AND first <= ?2)
                        """
                    return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [session, seq]) ?? 0 > seq
                }
            }
        }
    }
#endif
