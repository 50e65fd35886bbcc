import GRDB

/// What users change, such as titles, bookmarks, launch states and deletions, is counted in the archive and, after the
/// commit, beside it: a damaged log that has lost a change is noticed, although no event is missing.
extension SQLiteArchive {
    /// Writes a user's change in one transaction.
    ///
    /// - Parameter isFreeing: Whether it frees space, and may use the reserve on a full disk.
    func writeEdit<Value>(isFreeing: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
        var edits = 0
        func counted(_ db: Database) throws -> Value {
            let value = try body(db)
            edits = (try Self.edits(db) + 1) & Int(Int32.max)
            try db.execute(sql: "PRAGMA user_version = \(edits)")
            return value
        }
        let value = try isFreeing ? writeFreeing(counted) : write(counted)
        acknowledged?.note(edits: edits)
        return value
    }

    static func edits(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

    /// How many confirmed changes are missing.
    static func lostEdits(_ ends: [Int64: Acknowledged.End], _ pool: DatabasePool) throws -> Int {
        try max(0, (ends[0]?.next ?? 0) - pool.read(edits))
    }
}
