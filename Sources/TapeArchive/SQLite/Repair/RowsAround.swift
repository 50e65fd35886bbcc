import GRDB

/// Reads the rows of a table around its damaged pages.
struct RowsAround {
    private let db: Database
    private let table: String
    /// The most steps over a damaged part, each twice the last.
    private static let steps = 48

    init(_ db: Database, _ table: String) {
        (self.db, self.table) = (db, table)
    }

    /// - Returns: Whether all rows could be read.
    func each(_ body: (Row) throws -> Void) throws -> Bool {
        var from: Int64 = 0
        var isWhole = true
        while true {
            var next = from
            do {
                try read("rowid >= \(from) ORDER BY rowid") { rowid, row in
                    try body(row)
                    next = rowid + 1
                }
                return isWhole
            } catch  where Damage.isMeant(by: error) {
                isWhole = false
                guard let behind = readable(after: next) else { return false }
                // The rows just before it may be on a page that can be read.
                do {
                    try read("rowid >= \(next) AND rowid < \(behind) ORDER BY rowid DESC") { try body($1) }
                } catch  where Damage.isMeant(by: error) {}
                from = behind
            }
        }
    }

    private func read(_ condition: String, _ body: (Int64, Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT rowid AS salvagedRow, * FROM \(table) NOT INDEXED WHERE \(condition)")
        while let row = try rows.next() { try body(row["salvagedRow"], row) }
    }

    /// A row behind one that can't be read; nil if there is none.
    private func readable(after rowid: Int64) -> Int64? {
        for step in 0..<Self.steps {
            let sql =
                "SELECT rowid FROM \(table) NOT INDEXED WHERE rowid > \(rowid &+ (1 << step) - 1) ORDER BY rowid LIMIT 1"
            if let found = try? Optional(Int64.fetchOne(db, sql: sql)) { return found ?? nil }
        }
        return nil
    }
}
