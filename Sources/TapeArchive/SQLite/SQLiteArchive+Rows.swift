import Foundation
import GRDB

extension SQLiteArchive {
    package func sessionRows() throws -> [Int64] {
        try pool.read { db in try Int64.fetchAll(db, sql: "SELECT row FROM session ORDER BY row") }
    }

    package func rows(_ table: StoredTable, _ rows: StoredRows) throws -> [StoredRow] {
        let columns = table.columns.map { name, _ in
            let stored = Self.names[name, default: name]
            // The text's bytes, since SQLite's own conversion hides damage.
            return
                "typeof(\"\(stored)\"), CASE typeof(\"\(stored)\") WHEN 'text' THEN CAST(\"\(stored)\" AS BLOB) ELSE \"\(stored)\" END"
        }
        let key = table == .session ? "row" : "session"
        let (condition, arguments): (String, StatementArguments) =
            switch rows {
            case .all: ("TRUE", [])
            case .session(let session): ("\(key) = ?", [session])
            case .inside(let session, let seqs):
                ("\(key) = ? AND seq >= ? AND seq < ?", [session, seqs.lowerBound, seqs.upperBound])
            case .outside(let session, let seqs):
                ("\(key) = ? AND NOT (seq >= ? AND seq < ?)", [session, seqs.lowerBound, seqs.upperBound])
            }
        let name = table == .launch ? "startState" : table.rawValue
        return try readAround { db, hint in
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(name)\(hint) WHERE \(condition) ORDER BY rowid"
            let statement = try db.cachedStatement(sql: sql)
            return try Row.fetchAll(statement, arguments: arguments).map { row in
                var values: [String: StoredValue] = [:]
                for (index, column) in table.columns.enumerated() {
                    let isText = String.fromDatabaseValue(row[index * 2]) == "text"
                    values[column.name] = StoredValue(row[index * 2 + 1], isText: isText)
                }
                return StoredRow(values)
            }
        }
    }

    package func strangers(_ table: StoredTable) throws -> [(session: StoredValue, rows: Int)] {
        try readAround { db, hint in
            let sql = """
                SELECT session, count(*) AS rows FROM \(table.rawValue)\(hint)
                WHERE session NOT IN (SELECT row FROM session)
                    AND session NOT IN (SELECT row FROM deleted WHERE row IS NOT NULL)
                GROUP BY session
                """
            return try Row.fetchAll(db, sql: sql).map {
                (StoredValue($0[0], isText: true), try $0.get("rows"))
            }
        }
    }

    /// SQLite has nothing besides the common tables.
    package func derivedProblems(of session: Session) -> [String] { [] }

    /// The columns that have another name here.
    private static let names = ["seen": "lastSeen", "failure": "startFailed"]
}

extension StoredValue {
    fileprivate init(_ value: DatabaseValue, isText: Bool) {
        self =
            switch value.storage {
            case .null: .nothing
            case .int64(let value): .int(Int(value))
            case .double(let value): .double(value)
            case .string(let text): .text(Array(text.utf8))
            case .blob(let data): isText ? .text([UInt8](data)) : .bytes([UInt8](data))
            }
    }
}
