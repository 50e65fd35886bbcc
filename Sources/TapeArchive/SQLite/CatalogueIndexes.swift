import GRDB
import TapeFormat

/// The indexes by which sessions, and what people have made, are found. Where one of them lacks a row, that row is gone
/// for everybody, and nothing would say so; a name could be given twice. So they are looked at before the first request.
///
/// Indexes of lines and states are left to ``SQLiteDamageSearch``: each of their rows is compared where it is read.
struct CatalogueIndexes {
    private static let tables = ["session", "device", "startState", "deleted", "bookmark"]

    private let pool: DatabasePool

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// Makes damaged indexes anew.
    ///
    /// - Returns: The tables whose indexes were.
    /// - Throws: `DatabaseError` if one hides rows and can't be made anew here.
    func mend() throws -> [String] {
        try Self.tables.filter { table in
            try named(table) {
                let found = try problems(table)
                guard found.contains(where: \.isMissingRow) else { return false }
                // To clear an index that leads to pages of another table would free those.
                if let bad = try found.first(where: { !$0.isOfIndexes }) ?? all().first(where: \.isSecondReference) {
                    if try isReadAround(table) { return false }
                    throw Self.damage(bad.text)
                }
                try pool.write { try $0.execute(sql: "REINDEX \(table)") }
                if let left = try problems(table).first { throw Self.damage(left.text) }
                return true
            }
        }
    }

    /// Whether an error ends the reading of each index that lacks rows: then sessions are read without it.
    private func isReadAround(_ table: String) throws -> Bool {
        guard table == "session" else { return false }
        let from = ["session NOT INDEXED", "session INDEXED BY sessionReceived", "session INDEXED BY sessionOfDevice"]
        // The index of the ids has no name.
        let counts = (from + ["session WHERE id > ''"]).map { part in
            try? pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(part)") }
        }
        return counts.dropFirst().allSatisfy { $0 == nil || $0 == counts[0] }
    }

    private func named<Value>(_ table: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch  where Damage.isMeant(by: error) {
            throw Self.damage("an index of the table \(table) is damaged: \(Damage.reason(error))")
        }
    }

    private static func damage(_ reason: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
    }

    private func problems(_ table: String) throws -> [Problem] {
        do {
            return try pool.read { try Problem.all(String.fetchAll($0, sql: "PRAGMA integrity_check(\(table))")) }
        } catch  where Damage.isMeant(by: error) {
            // Where the table itself can't be read, that is met, and told, where it is needed.
            guard (try? pool.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table) NOT INDEXED") })) != nil,
                try !isReadAround(table)
            else { return [] }
            throw error
        }
    }

    private func all() throws -> [Problem] {
        try pool.read { try Problem.all(String.fetchAll($0, sql: "PRAGMA integrity_check(1000)")) }
    }

    private struct Problem {
        let text: String

        /// One text may be several lines, of which the first names the database, which has one name only.
        static func all(_ texts: [String]) -> [Problem] {
            texts.flatMap { $0.split(separator: "\n").map { Problem(text: String($0)) } }
                .filter { $0.text != "ok" && !$0.text.hasPrefix("*** in database") }
        }

        /// Whether an index has no entry for a row, or none that can be read.
        var isMissingRow: Bool { text.wholeMatch(of: /row \d+ missing from index \w+/) != nil }

        /// Whether the problem ends where its index does.
        var isOfIndexes: Bool {
            isMissingRow
                || text.wholeMatch(of: /(wrong # of entries in|non-unique entry in) index \w+/) != nil
                || text.hasPrefix("Fragmentation of ")
        }

        /// Whether two trees, or two pages of one, lead to a page.
        var isSecondReference: Bool { text.contains("2nd reference to page") }
    }
}
