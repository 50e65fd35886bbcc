import Foundation
import GRDB
import TapeFormat

/// Adds rows that no tree leads to any more, and knows their table by their values.
struct LooseRows {
    private var pages: LeafPages
    private let db: Database
    /// Lines of a session that isn't known are those of a deleted one, if all sessions could be read.
    private let isOfKnown: (_ session: Int64) -> Bool
    private let progress: (_ rows: Int) throws -> Void
    private(set) var count = 0
    /// The number of rows with a value that no server writes.
    var tooLong: Int { pages.tooLong }

    init(
        _ pages: LeafPages, into db: Database, progress: @escaping (_ rows: Int) throws -> Void,
        isOfKnown: @escaping (_ session: Int64) -> Bool
    ) {
        (self.pages, self.db, self.isOfKnown, self.progress) = (pages, db, isOfKnown, progress)
    }

    mutating func add() throws {
        // The last state of each session's row: pages that are in use no more have older ones.
        try db.execute(
            sql: """
                CREATE TEMP TABLE looseSession AS SELECT * FROM main.session LIMIT 0;
                CREATE UNIQUE INDEX temp.looseSessionRow ON looseSession(row);
                """)
        // The copy is for the closure, which changes it.
        var pages = pages
        defer { self.pages = pages }
        try pages.each { number, values in
            try progress(1)
            switch Self.table(of: values) {
            case "session": try keep([number.databaseValue] + values.dropFirst())
            case let table?: try insert(table, values)
            case nil: break
            }
        }
        try db.execute(sql: "INSERT OR IGNORE INTO session SELECT * FROM looseSession ORDER BY row")
        count += db.changesCount
        try db.execute(sql: "DROP TABLE looseSession")
    }

    private func keep(_ values: [DatabaseValue]) throws {
        let columns = try names("session", values)
        let sql = """
            INSERT OR REPLACE INTO looseSession (\(columns.list)) SELECT \(columns.places)
            WHERE NOT EXISTS (SELECT 1 FROM looseSession WHERE row = ? AND next >= ?)
            """
        // Where a row of sessions has its end.
        let end = Int64.fromDatabaseValue(values[9]) ?? 0
        try db.cachedStatement(sql: sql).execute(
            arguments: StatementArguments(values.prefix(columns.count) + [values[0], end.databaseValue]))
    }

    /// The columns that a row has, since an older one may have fewer.
    private func names(_ table: String, _ values: [DatabaseValue]) throws -> ArraySlice<String> {
        try db.columns(in: table).map(\.name).prefix(values.count)
    }

    private static func table(of values: [DatabaseValue]) -> String? {
        let kinds = String(
            values.map { value -> Character in
                switch value.storage {
                case .null: "n"
                case .int64: "i"
                case .double: "r"
                case .string: "t"
                case .blob: "b"
                }
            })
        switch kinds {
        case "iiib", "iiibi", "iiibn":
            guard let bytes = Data.fromDatabaseValue(values[3]) else { return nil }
            // Both kinds of lines begin with a line.
            if bytes.first == UInt8(ascii: "{") { return "batch" }
            guard kinds == "iiib", let lines = try? Zstd.decompress([UInt8](bytes)) else { return nil }
            return lines.first == UInt8(ascii: "{") ? "chunk" : nil
        case "itib": return "keyframe"
        case "ti", "tn":
            // Not the last rows of tables, which look the same.
            let id = String.fromDatabaseValue(values[0]) ?? ""
            return Header.isSession(id) || id.hasPrefix("upload ") || id.hasPrefix("again ") ? "deleted" : nil
        case "tt": return "device"
        default: break
        }
        if kinds.wholeMatch(of: /iiit[tn]ii/) != nil { return "bookmark" }
        if kinds.wholeMatch(of: /ttttt[tn][in]i/) != nil { return "startState" }
        return kinds.wholeMatch(of: /ntbtt[tn]tiiii[ir]i[tn][tn]i.*/) != nil ? "session" : nil
    }

    private mutating func insert(_ table: String, _ values: [DatabaseValue]) throws {
        let isOfSession = ["batch", "chunk", "keyframe", "bookmark"].contains(table)
        if isOfSession, !(Int64.fromDatabaseValue(values[0]).map(isOfKnown) ?? false) { return }
        let columns = try names(table, values)
        let sql = "INSERT OR IGNORE INTO \(table) (\(columns.list)) VALUES (\(columns.places))"
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values.prefix(columns.count)))
        count += db.changesCount
    }
}

extension Collection<String> {
    /// Columns in a statement.
    var list: String { map { "\"\($0)\"" }.joined(separator: ", ") }
    /// As many values.
    var places: String { map { _ in "?" }.joined(separator: ", ") }
}
