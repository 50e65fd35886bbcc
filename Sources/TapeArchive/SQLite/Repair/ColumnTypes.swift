import Foundation
import GRDB

/// Gives the values of rows the types of their columns. One damaged byte changes a value's type, and a row that can't be
/// read would hide everything that belongs to it.
struct ColumnTypes {
    private let columns: [ColumnInfo]

    /// Nil for a table whose rows are made anew from others, or are looked at one by one.
    ///
    /// - Parameter names: The columns whose values are read.
    init?(_ table: String, _ names: [String], _ db: Database) throws {
        guard ["session", "bookmark", "device", "startState", "deleted"].contains(table) else { return nil }
        let all = try db.columns(in: table)
        columns = names.compactMap { name in all.first { $0.name == name } }
    }

    /// - Parameter values: Get the types that they should have; a value that can't gets none, or 0 where one is needed.
    /// - Returns: The columns whose values were lost.
    func settle(_ values: inout [DatabaseValue]) -> [String] {
        var lost: [String] = []
        for (index, column) in columns.enumerated() where !fits(values[index], column) {
            if let value = converted(values[index], column) {
                values[index] = value
            } else {
                lost.append(column.name)
                values[index] = nothing(column)
            }
        }
        return lost
    }

    private func fits(_ value: DatabaseValue, _ column: ColumnInfo) -> Bool {
        switch (value.storage, column.type) {
        case (.null, _): !column.isNotNull
        case (.int64, "INTEGER"), (.int64, "REAL"), (.double, "REAL"), (.string, "TEXT"), (.blob, "BLOB"): true
        default: false
        }
    }

    /// The types of texts and bytes differ in one bit.
    private func converted(_ value: DatabaseValue, _ column: ColumnInfo) -> DatabaseValue? {
        switch (value.storage, column.type) {
        // With a NUL, a text is stored as bytes.
        case (.blob(let bytes), "TEXT"):
            String(bytes: bytes, encoding: .utf8).map { bytes.contains(0) ? value : $0.databaseValue }
        case (.string(let text), "BLOB"): Data(text.utf8).databaseValue
        default: nil
        }
    }

    private func nothing(_ column: ColumnInfo) -> DatabaseValue {
        guard column.isNotNull else { return .null }
        switch column.type {
        case "TEXT": return "".databaseValue
        case "BLOB": return Data().databaseValue
        default: return 0.databaseValue
        }
    }
}
