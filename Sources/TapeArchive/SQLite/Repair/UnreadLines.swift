import Foundation
import GRDB

/// Rows that should have lines and have none. Only where they end is of use: in a copy they would be a gap each.
struct UnreadLines {
    /// By tables and sessions.
    private var ends: [String: [Int64: Int]] = [:]
    /// By tables.
    private(set) var counts: [String: Int] = [:]

    /// The rows of sessions that have such rows.
    var sessions: Set<Int64> { Set(ends.values.flatMap(\.keys)) }

    /// The seq after the last event of a session that a table's rows name.
    func end(of session: Int64, in table: String) -> Int { ends[table]?[session] ?? 0 }

    /// - Returns: Whether a row of a table is such a row.
    mutating func add(_ table: String, _ columns: [String], _ values: [DatabaseValue]) -> Bool {
        func value(_ column: String) -> DatabaseValue { columns.firstIndex(of: column).map { values[$0] } ?? .null }
        guard let beginning = Self.beginnings[table] else { return false }
        let lines = value("lines")
        if Data.fromDatabaseValue(lines)?.starts(with: beginning) ?? false { return false }
        counts[table, default: 0] += 1
        if let session = Int64.fromDatabaseValue(value("session")), let next = Int.fromDatabaseValue(value("next")) {
            ends[table, default: [:]][session] = max(end(of: session, in: table), next)
        }
        return true
    }

    /// Of a line, and of Zstandard's frames.
    private static let beginnings: [String: [UInt8]] = [
        "batch": [UInt8(ascii: "{")], "chunk": [0x28, 0xb5, 0x2f, 0xfd],
    ]
}
