import GRDB

/// Reads the rows of a table around its damaged pages.
///
/// A damaged tree may lead to the same pages again and again, so each row counts once, and each step has to get further.
struct RowsAround {
    private let db: Database
    private let table: String
    /// The most steps over a damaged part, each twice the last.
    private static let steps = 48
    private var seen = SeenRows()

    init(_ db: Database, _ table: String) {
        (self.db, self.table) = (db, table)
    }

    /// - Returns: Whether all rows could be read.
    mutating func each(_ body: (Row) throws -> Void) throws -> Bool {
        var from: Int64 = 0
        var isWhole = true
        while true {
            var next = from
            do {
                try read("rowid >= \(from) ORDER BY rowid") { rowid, row in
                    try body(row)
                    if rowid >= next { next = rowid &+ 1 }
                }
                return isWhole
            } catch  where Damage.isMeant(by: error) {
                isWhole = false
                guard next >= from, let behind = readable(after: next) else { return false }
                // The rows just before it may be on a page that can be read.
                do {
                    try read("rowid >= \(next) AND rowid < \(behind) ORDER BY rowid DESC") { try body($1) }
                } catch  where Damage.isMeant(by: error) {}
                from = behind
            }
        }
    }

    private mutating func read(_ condition: String, _ body: (Int64, Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT rowid AS salvagedRow, * FROM \(table) NOT INDEXED WHERE \(condition)")
        while let row = try rows.next() {
            let rowid: Int64 = row["salvagedRow"]
            guard seen.insert(rowid) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row \(rowid) is there twice")
            }
            try body(rowid, row)
        }
    }

    /// A row behind one that can't be read; nil if there is none. A damaged tree may lead back.
    private func readable(after rowid: Int64) -> Int64? {
        for step in 0..<Self.steps {
            let (after, isBeyond) = rowid.addingReportingOverflow((1 << step) - 1)
            if isBeyond { return nil }
            let sql =
                "SELECT rowid FROM \(table) NOT INDEXED WHERE rowid > \(after) ORDER BY rowid LIMIT 1"
            guard let found = try? Optional(Int64.fetchOne(db, sql: sql)) else { continue }
            guard let found else { return nil }
            if found > rowid { return found }
        }
        return nil
    }
}

/// Which rows were read. Those in order need no room.
private struct SeenRows {
    private var last = Int64.min
    private var others: Set<Int64> = []

    /// - Returns: Whether the row is new. A lower one than the last may have been read in order, and counts as new once.
    mutating func insert(_ row: Int64) -> Bool {
        if row > last {
            last = row
            return true
        }
        return others.insert(row).inserted
    }
}
