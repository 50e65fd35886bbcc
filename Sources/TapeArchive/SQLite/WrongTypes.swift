import GRDB
import TapeFormat

/// Values of another type than their column has. One damaged bit makes a text bytes, which equal no text: what it names
/// is found no more, and SQLite's own check doesn't tell.
enum WrongTypes {
    static func problems(_ reader: some DatabaseReader) throws -> [String] {
        try Schema.names.flatMap { table in
            do {
                return try reader.read { try problems(in: table, $0) }
            } catch  where Damage.isMeant(by: error) {
                // Told by those who look at the pages.
                return []
            }
        }
    }

    private static func problems(in table: String, _ db: Database) throws -> [String] {
        guard try db.tableExists(table) else { return [] }
        return try db.columns(in: table).compactMap { column in
            guard let isWrong = condition(column) else { return nil }
            let sql = "SELECT count(*) AS count, min(rowid) AS first FROM \(table) NOT INDEXED WHERE \(isWrong)"
            guard let row = try Row.fetchOne(db, sql: sql) else { return nil }
            let count: Int = try row.get("count")
            if count == 0 { return nil }
            let first: Int64 = try row.get("first")
            return """
                the table \(table) has \(count == 1 ? "a value" : "\(count) values") of another type in its column \
                \(column.name), \(count == 1 ? "" : "first ")in row \(first)
                """
        }
    }

    private static func condition(_ column: ColumnInfo) -> String? {
        let name = column.name.quotedDatabaseIdentifier
        return switch column.type {
        case "INTEGER": "typeof(\(name)) NOT IN ('integer', 'null')"
        case "REAL": "typeof(\(name)) NOT IN ('real', 'integer', 'null')"
        case "BLOB": "typeof(\(name)) NOT IN ('blob', 'null')"
        // With a NUL, a text is stored as bytes.
        case "TEXT": "typeof(\(name)) NOT IN ('text', 'null') AND instr(\(name), x'00') = 0"
        default: nil
        }
    }
}
