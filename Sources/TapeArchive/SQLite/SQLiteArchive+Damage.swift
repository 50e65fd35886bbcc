import GRDB

extension SQLiteArchive {
    package func damaged(of session: Int64, at seq: Int) throws -> Range<Int>? {
        let place = try pool.read { db -> (row: Int64, isSealed: Bool, all: Range<Int>)? in
            let find = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM session WHERE row = ?")
            guard let session = try Row.fetchOne(find, arguments: [session]).map({ try Session($0, headers) }),
                session.first <= seq, seq < session.next
            else { return nil }
            let isSealed = seq < session.sealed
            let all = isSealed ? session.first..<session.sealed : session.sealed..<session.next
            return (session.row, isSealed, all)
        }
        guard let (row, isSealed, all) = place else { return nil }
        let table = isSealed ? "chunk" : "batch"
        var isReadable = true
        // Uses only the index, since the rows themselves may be unreadable; or only the rows.
        func find(_ column: String, _ condition: String) -> Int? {
            do {
                return try readAround { db, hint in
                    let sql = "SELECT \(column) FROM \(table)\(hint) WHERE session = ? AND \(condition)"
                    return try Int.fetchOne(db, sql: sql, arguments: [row])
                }
            } catch {
                isReadable = false
                return nil
            }
        }
        let first = find("max(first)", "first <= \(seq)")
        // If neither index nor rows can be read, nothing tells where the lines before are.
        let isFirst = first == nil && isReadable
        let after = find("min(first)", "first > \(seq)")
        // The end of the previous row, if no row covers the seq.
        let end = first.flatMap { find("next", "first = \($0)") }
        let start = end.flatMap { $0 <= seq ? $0 : nil } ?? first ?? seq
        let from = isFirst || first == nil && after != nil ? all.lowerBound : start
        return min(seq, max(all.lowerBound, from))..<max(seq + 1, min(all.upperBound, after ?? all.upperBound))
    }

    package func isHeld(_ session: Int64, _ seq: Int) throws -> Bool {
        try readAround { db, hint in
            try ["chunk", "batch"].map { $0 + hint }.contains { table in
                let sql = """
                    SELECT next FROM \(table) WHERE session = ?1 AND first =
                        (SELECT max(first) FROM \(table) WHERE session = ?1 AND first <= ?2)
                    """
                return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [session, seq]) ?? 0 > seq
            }
        }
    }
}
