import Foundation
import GRDB
import TapeFormat

/// Adds rows that no tree leads to any more, and knows their table by their values.
struct LooseRows {
    private let pages: LeafPages
    private let db: Database
    /// Lines of a session that isn't known are those of a deleted one, if all sessions could be read.
    private let isOfKnown: (_ session: Int64) -> Bool
    private let progress: (_ rows: Int) throws -> Void
    private(set) var count = 0
    /// The last state of each session's row: pages that are in use no more have older ones.
    private var sessions: [Int64: [DatabaseValue]] = [:]

    init(
        _ pages: LeafPages, into db: Database, progress: @escaping (_ rows: Int) throws -> Void,
        isOfKnown: @escaping (_ session: Int64) -> Bool
    ) {
        (self.pages, self.db, self.isOfKnown, self.progress) = (pages, db, isOfKnown, progress)
    }

    mutating func add() throws {
        try pages.each { number, values in
            try progress(1)
            switch Self.table(of: values) {
            case "session": keep(number, values)
            case let table?: try insert(table, values)
            case nil: break
            }
        }
        for (row, values) in sessions { try insert("session", [row.databaseValue] + values.dropFirst()) }
    }

    private mutating func keep(_ row: Int64, _ values: [DatabaseValue]) {
        // Where a row of sessions has its end.
        let next = 9
        func end(_ values: [DatabaseValue]) -> Int64 { Int64.fromDatabaseValue(values[next]) ?? 0 }
        if let known = sessions[row], end(known) >= end(values) { return }
        sessions[row] = values
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
        let columns = try db.columns(in: table).map(\.name).prefix(values.count)
        let sql = """
            INSERT OR IGNORE INTO \(table) (\(columns.map { "\"\($0)\"" }.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values.prefix(columns.count)))
        count += db.changesCount
    }
}
