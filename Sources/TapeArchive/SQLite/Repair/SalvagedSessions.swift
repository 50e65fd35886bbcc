import Foundation
import GRDB
import TapeFormat

/// Makes sessions of rows that were salvaged, so that their lines can be read.
struct SalvagedSessions {
    private let pool: DatabasePool
    private let ends: [Int64: Acknowledged.End]
    private let tell: (String) -> Void
    /// No event is shorter.
    private static let shortest = 16

    init(_ pool: DatabasePool, _ ends: [Int64: Acknowledged.End], _ tell: @escaping (String) -> Void) {
        (self.pool, self.ends, self.tell) = (pool, ends, tell)
    }

    func mend() throws {
        try pool.write { db in
            // Rows of sessions that were deleted are left to a server's sweep, which a copy doesn't need.
            try addMissing(db)
            for column in ["received", "lastSeen", "next", "sealed", "bytes", "bookmarks", "marked"] {
                try db.execute(sql: "UPDATE session SET \(column) = 0 WHERE typeof(\(column)) <> 'integer'")
            }
            try db.execute(sql: "UPDATE session SET duration = 0 WHERE typeof(duration) NOT IN ('real', 'integer')")
            for column in ["kept", "paused", "hidden"] {
                try db.execute(sql: "UPDATE session SET \(column) = 0 WHERE \(column) NOT IN (0, 1)")
            }
            for row in try Row.fetchAll(db, sql: "SELECT \(SQLiteArchive.columns) FROM session") {
                try mend(row, db)
            }
        }
    }

    /// Adds the sessions of lines whose session is gone.
    private func addMissing(_ db: Database) throws {
        let found = try ["batch", "chunk"].flatMap { table in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT session FROM \(table) WHERE session NOT IN (SELECT row FROM session)
                        AND session NOT IN (SELECT row FROM deleted WHERE row IS NOT NULL)
                    """)
        }
        for row in Set(found).sorted() {
            let id = ends[row]?.id ?? Self.name(row)
            tell("session \(id): its header and its marks can't be read")
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO session (row, id, key, owner, app, header, received, lastSeen)
                    VALUES (?, ?, x'', '', 'unknown', '', 0, 0)
                    """, arguments: [row, id])
        }
    }

    private static func name(_ row: Int64) -> String { "SALVAGED-" + String(row).padded(to: 8) }

    private func mend(_ stored: Row, _ db: Database) throws {
        let row: Int64 = try stored.get("row")
        let known = (stored["headerBytes"] as Data?).flatMap { try? Header(stored: [UInt8]($0)) }
        let kept = try? stored.get("id") as String
        let id =
            [kept, known?.session, ends[row]?.id].compactMap { $0 }.first(where: Header.isSession) ?? Self.name(row)
        if known == nil, kept != nil, id != Self.name(row) { tell("session \(id): its header can't be read") }
        var header =
            known
            ?? Header(session: id, app: .init(id: (try? stored.text("app")) ?? "unknown"), started: Session.text(0))
        header.session = id
        func last(_ table: String) throws -> Int {
            let sql = "SELECT max(next) FROM \(table) WHERE session = ? AND typeof(next) = 'integer' AND next <= ?"
            return try Int.fetchOne(db, sql: sql, arguments: [row, Limits.seq + 1]) ?? 0
        }
        let first = header.from ?? 0
        let chunks = max(first, try last("chunk"))
        let end = max(chunks, try last("batch"), ends[row]?.next ?? 0)
        let (next, sealed, bytes): (Int, Int, Int) = (
            try stored.get("next"), try stored.get("sealed"), try stored.get("bytes")
        )
        // A number that can't be right must not become a gap of as many events.
        let isPossible = next >= end && next - first <= max(0, bytes) / Self.shortest
        let newEnd = isPossible ? next : end
        let newSealed = sealed >= chunks && sealed <= newEnd ? sealed : chunks
        if newEnd > next, ends[row]?.next == newEnd, next >= max(chunks, try last("batch")) {
            tell("session \(id): events \(max(first, next))–\(newEnd - 1) were acknowledged, and are missing")
        }
        try db.execute(
            sql: "UPDATE OR IGNORE session SET id = ?, header = ?, app = ?, next = ?, sealed = ? WHERE row = ?",
            arguments: [id, header.json.text, header.app.id.stored, newEnd, newSealed, row])
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
