import GRDB

extension SQLiteArchive {
    /// Reads through the indexes, or if one of them is damaged, past them.
    ///
    /// - Parameter body: Gets what it has to add to each table's name.
    func readAround<Value>(_ body: (Database, _ hint: String) throws -> Value) throws -> Value {
        do {
            return try pool.read { try body($0, "") }
        } catch  where Damage.isMeant(by: error) {
            return try pool.read { try body($0, " NOT INDEXED") }
        }
    }

    /// A table as `place`, which an index may find, and the same row as it is stored, whatever the index says of it.
    static func stored(_ table: String, _ hint: String) -> String {
        "\(table) AS place\(hint) LEFT JOIN \(table) AS stored ON stored.rowid = place.rowid"
    }

    /// The rows of a table on both sides of a damaged page, each once.
    ///
    /// - Parameter select: A statement without an order, over the table's rows.
    static func rowsAround(_ db: Database, _ select: SQL, key: String) throws -> [Row] {
        var rows: [Row] = []
        var keys: Set<Int64> = []
        for direction in ["", " DESC"] {
            do {
                let request: SQLRequest<Row> = "\(select) ORDER BY \(sql: key)\(sql: direction)"
                let cursor = try request.fetchCursor(db)
                while let row = try cursor.next() {
                    guard keys.insert(try row.get("row")).inserted else { break }
                    rows.append(row.copy())
                }
            } catch  where Damage.isMeant(by: error) {
                continue
            }
        }
        return rows
    }
}

extension Row {
    /// This row, if it is one of the session, since a damaged index leads to others or to none.
    ///
    /// - Throws: `DatabaseError`.
    func checked(of session: Int64) throws -> Row {
        guard try get("session") == session else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index leads to the rows of another session")
        }
        return self
    }
}
