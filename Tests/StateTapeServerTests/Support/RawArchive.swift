import Foundation
import GRDB
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

/// An archive below its own code: changes rows to what only damage makes of them.
struct RawArchive {
    let archive: any Archive

    /// Runs a statement. The values of its rows are texts.
    @discardableResult
    func run(_ sql: String) throws -> [[String]] {
        switch archive {
        case let archive as SQLiteArchive:
            return try archive.pool.writeWithoutTransaction { db in
                try Row.fetchAll(db, sql: sql).map { row in
                    (0..<row.count).map { String.fromDatabaseValue(row[$0]) ?? "" }
                }
            }
        case let archive as PostgresArchive:
            return try archive.connect().runOnce(PostgresStatement(sql)).map { row in
                // A statement that isn't for its effect names its value “a”.
                [(try? row.optionalText("a")) ?? ""]
            }
        default: return []
        }
    }

    var isSQLite: Bool { archive is SQLiteArchive }

    /// The table and column in which an engine stores a value.
    func place(_ table: StoredTable, _ column: String) -> (table: String, column: String) {
        if isSQLite {
            return (
                table == .launch ? "startState" : table.rawValue,
                ["seen": "lastSeen", "failure": "startFailed"][column] ?? column
            )
        }
        let changing = ["next", "sealed", "bytes", "duration", "seen", "complete", "owner", "ended"]
        return (table == .session && changing.contains(column) ? "progress" : table.rawValue, column)
    }

    /// The address of the row in the middle of a table.
    func middle(_ table: String, _ key: String) throws -> String? {
        let count = Int(try run("SELECT CAST(count(*) AS text) AS a FROM \(table)")[0][0]) ?? 0
        let address = isSQLite ? "CAST(rowid AS text)" : "ctid::text"
        return try run("SELECT \(address) AS a FROM \(table) ORDER BY \(key) LIMIT 1 OFFSET \(count / 2)").first?[0]
    }

    private func condition(_ address: String) -> String {
        isSQLite ? "rowid = \(address)" : "ctid = '\(address)'"
    }

    /// Sets a value to an SQL expression.
    ///
    /// - Returns: The old value as an expression, and the row's address.
    func set(
        _ table: String, _ column: String, at address: String, to value: String
    ) throws -> (old: String, address: String) {
        let quoted = isSQLite ? "quote(\(column))" : "quote_nullable(\(column))"
        let old = try run("SELECT \(quoted) AS a FROM \(table) WHERE \(condition(address))")[0][0]
        let returning = isSQLite ? "CAST(rowid AS text)" : "ctid::text AS a"
        let now = try run(
            "UPDATE \(table) SET \(column) = \(value) WHERE \(condition(address)) RETURNING \(returning)")
        return (old, now[0][0])
    }

    /// Deletes a row.
    ///
    /// - Returns: The statement that puts it back.
    func delete(_ table: String, at address: String) throws -> String {
        let names =
            try isSQLite
            ? run("SELECT name FROM pragma_table_info('\(table)')").map { $0[0] }
            : run(
                """
                SELECT attname::text AS a FROM pg_attribute
                WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
                """
            ).map { $0[0] }
        let values = try names.map { name in
            let quoted = isSQLite ? "quote(\"\(name)\")" : "quote_nullable(\"\(name)\")"
            return try run("SELECT \(quoted) AS a FROM \(table) WHERE \(condition(address))")[0][0]
        }
        try run("DELETE FROM \(table) WHERE \(condition(address))")
        let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(columns)) \(isSQLite ? "" : "OVERRIDING SYSTEM VALUE ")\
            VALUES (\(values.joined(separator: ", ")))
            """
    }
}
