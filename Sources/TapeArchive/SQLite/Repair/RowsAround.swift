import GRDB

/// Reads the rows of a table around its damaged pages.
///
/// A damaged tree may lead to the same pages again and again, so each row counts once, and each step has to get further.
/// The connection limits how long a value may be; a longer one is left out, and the rest of its row is read.
struct RowsAround {
    private let db: Database
    private let table: String
    private let columns: [String]
    private let most: Int
    private let step: () throws -> Void
    /// The most steps over a damaged part, each twice the last.
    private static let steps = 48
    private var seen = SeenRows()
    private var bytes = 0
    /// The columns with values that are too long, with the rows' numbers.
    private(set) var tooLong: [(column: String, row: Int64)] = []

    /// - Parameters:
    ///   - most: Bytes of all rows. A damaged table whose rows are more leads to the same pages.
    ///   - step: Called now and then. It may throw.
    init(
        _ db: Database, _ table: String, _ columns: [String], most: Int = .max, step: @escaping () throws -> Void = {}
    ) {
        (self.db, self.table, self.columns, self.most, self.step) = (db, table, columns, most, step)
    }

    /// - Parameter body: Gets the values of the columns.
    /// - Returns: Whether all rows could be read.
    mutating func each(_ body: ([DatabaseValue]) throws -> Void) throws -> Bool {
        let isWhole = try eachNumbered(body)
        do {
            // No server writes them, but it reads them.
            try read("rowid < 0 ORDER BY rowid") { try body($1) }
            return isWhole
        } catch  where Damage.isMeant(by: error) || (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG {
            return false
        }
    }

    /// Reads the rows with the numbers that a server writes.
    private mutating func eachNumbered(_ body: ([DatabaseValue]) throws -> Void) throws -> Bool {
        var from: Int64 = 0
        var isWhole = true
        while true {
            try step()
            var next = from
            do {
                try read("rowid >= \(from) ORDER BY rowid") { rowid, values in
                    try body(values)
                    if rowid >= next { next = rowid &+ 1 }
                }
                return isWhole
            } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
                guard let row = try? first("rowid >= \(next)"), row >= next else { return false }
                try body(try shortened(row))
                let (behind, isBeyond) = row.addingReportingOverflow(1)
                if isBeyond { return isWhole }
                from = behind
            } catch  where Damage.isMeant(by: error) {
                isWhole = false
                guard next >= from, bytes <= most, let behind = readable(after: next) else { return false }
                // The rows just before it may be on a page that can be read.
                do {
                    try read("rowid >= \(next) AND rowid < \(behind) ORDER BY rowid DESC") { try body($1) }
                } catch  where Damage.isMeant(by: error) || (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG {}
                from = behind
            }
        }
    }

    private mutating func read(_ condition: String, _ body: (Int64, [DatabaseValue]) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT rowid AS salvagedRow, \(columns.list) FROM \(table) NOT INDEXED WHERE \(condition)")
        while let row = try rows.next() {
            let rowid: Int64 = try row.get("salvagedRow")
            guard seen.insert(rowid) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row \(rowid) is there twice")
            }
            let values = columns.indices.map { row[$0 + 1] as DatabaseValue }
            bytes += values.reduce(0) { $0 + $1.length }
            guard bytes <= most else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its rows are longer than its file")
            }
            try body(rowid, values)
        }
    }

    /// A row without the values that are too long, or that can't be read.
    private mutating func shortened(_ row: Int64) throws -> [DatabaseValue] {
        let kinds = try db.columns(in: table)
        return try columns.map { column in
            let sql = "SELECT \([column].list) FROM \(table) NOT INDEXED WHERE rowid = ?"
            do {
                return try DatabaseValue.fetchOne(db.cachedStatement(sql: sql), arguments: [row]) ?? .null
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_TOOBIG || Damage.isMeant(by: error)
            {
                tooLong.append((column, row))
                let isNeeded = kinds.contains { $0.name == column && $0.isNotNull }
                return isNeeded ? "".databaseValue : .null
            }
        }
    }

    private func first(_ condition: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT rowid FROM \(table) NOT INDEXED WHERE \(condition) ORDER BY rowid LIMIT 1")
    }

    /// A row behind one that can't be read; nil if there is none. A damaged tree may lead back.
    private func readable(after rowid: Int64) -> Int64? {
        for step in 0..<Self.steps {
            let (after, isBeyond) = rowid.addingReportingOverflow((1 << step) - 1)
            if isBeyond { return nil }
            guard let found = try? Optional(first("rowid > \(after)")) else { continue }
            guard let found else { return nil }
            if found > rowid { return found }
        }
        return nil
    }
}

extension DatabaseValue {
    /// Bytes in the file, of those that may have many.
    fileprivate var length: Int {
        switch storage {
        case .string(let text): text.utf8.count
        case .blob(let data): data.count
        default: 0
        }
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
