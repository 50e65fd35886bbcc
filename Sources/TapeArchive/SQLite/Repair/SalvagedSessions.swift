import Foundation
import GRDB
import TapeFormat

/// Makes sessions of rows that were salvaged, so that their lines can be read.
struct SalvagedSessions {
    private let pool: DatabasePool
    private let known: KnownSessions
    private let unread: UnreadLines
    private let tell: (String) -> Void
    private let step: () throws -> Void
    /// No event is shorter.
    private static let shortest = 16

    /// - Parameter step: Called now and then. It may throw.
    init(
        _ pool: DatabasePool, _ known: KnownSessions, _ unread: UnreadLines, _ tell: @escaping (String) -> Void,
        step: @escaping () throws -> Void
    ) {
        (self.pool, self.known, self.unread, self.tell, self.step) = (pool, known, unread, tell, step)
    }

    func mend() throws {
        try pool.write { db in
            // Rows of sessions that were deleted are left to a server's sweep, which a copy doesn't need.
            try addMissing(db)
            try tellEmpty(db)
            for column in ["kept", "paused", "hidden", "complete"] {
                try db.execute(sql: "UPDATE session SET \(column) = 0 WHERE \(column) NOT IN (0, 1)")
            }
            try mendMarks(db)
            // One after the other, since the headers of many need memory.
            let find = try db.cachedStatement(
                sql: """
                    SELECT row, id, app, next, sealed, bytes, CAST(header AS BLOB) AS headerBytes FROM session WHERE row = ?
                    """)
            for row in try Int64.fetchAll(db, sql: "SELECT row FROM session") {
                try step()
                if let stored = try Row.fetchOne(find, arguments: [row]) { try mend(stored, db) }
            }
        }
    }

    /// Adds the sessions of lines whose session is gone.
    private func addMissing(_ db: Database) throws {
        let found = try ["batch", "chunk"].flatMap { table in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT session FROM \(table) WHERE typeof(session) = 'integer'
                        AND session NOT IN (SELECT row FROM session)
                        AND session NOT IN (SELECT row FROM deleted WHERE row IS NOT NULL)
                    """)
        }
        for row in Set(found).sorted() {
            try step()
            let id = try knownID(row, db) ?? Self.name(row)
            tell("session \(id): its header and its marks can't be read")
            try db.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO session (row, id, key, owner, app, header, received, lastSeen)
                    VALUES (?, ?, x'', '', 'unknown', '', 0, 0)
                    """
            ).execute(arguments: [row, id])
        }
    }

    /// Sessions of which nothing is left: they are counted, and nothing is made of them.
    private func tellEmpty(_ db: Database) throws {
        let isThere = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM session WHERE row = ?1) OR EXISTS (SELECT 1 FROM deleted WHERE row = ?1)
                """)
        let empty = try unread.sessions.count { row in
            try step()
            return try Bool.fetchOne(isThere, arguments: [row]) == false
        }
        if empty > 0 { tell("\(empty) sessions have neither a header nor lines that can be read, and aren't copied") }
        for (row, id) in known.indexed.sorted(by: { $0.key < $1.key }) {
            try step()
            let isDeleted = try Row.fetchOne(db, sql: "SELECT 1 FROM deleted WHERE id = ?", arguments: [id]) != nil
            let isKnown = try Bool.fetchOne(isThere, arguments: [row]) == true
            if !isKnown, !isDeleted { tell("session \(id): nothing of it can be read, and it isn't copied") }
        }
    }

    /// What contradicts the rest of a session.
    private func mendMarks(_ db: Database) throws {
        for time in ["received", "lastSeen"] {
            try db.execute(
                sql: "UPDATE session SET \(time) = 0 WHERE \(time) NOT BETWEEN 0 AND ?", arguments: [Self.lastTime])
        }
        try db.execute(
            sql: """
                UPDATE session SET lastSeen = received WHERE lastSeen < received;
                UPDATE session SET key = x'' WHERE length(key) NOT IN (0, 32);
                UPDATE session SET paused = 0, replay = NULL, startFailed = NULL WHERE length(key) = 0;
                UPDATE session SET version = 1 WHERE version < 1;
                UPDATE OR IGNORE bookmark SET number = 1 + max(rowid, (SELECT max(number) FROM bookmark)) WHERE number < 1;
                UPDATE session SET marked = max(marked, 0, (SELECT count(*) FROM bookmark WHERE session = row),
                    (SELECT coalesce(max(number), 0) FROM bookmark WHERE session = row));
                UPDATE session SET hidden = 0 WHERE hidden AND \(SQLiteArchive.wasShown);
                """)
    }

    /// The end of the year 9999, in ms.
    private static let lastTime = 253_402_300_799_999

    /// The id that a row had, unless another row has it.
    private func knownID(_ row: Int64, _ db: Database) throws -> String? {
        guard let id = known.id(in: row) else { return nil }
        let other = "SELECT 1 FROM session WHERE id = ? AND row <> ?"
        return try Row.fetchOne(db.cachedStatement(sql: other), arguments: [id, row]) == nil ? id : nil
    }

    private static func name(_ row: Int64) -> String { "SALVAGED-" + String(row).padded(to: 8) }

    private func mend(_ stored: Row, _ db: Database) throws {
        let row: Int64 = try stored.get("row")
        let found = (stored["headerBytes"] as Data?).flatMap { try? Header(stored: [UInt8]($0)) }
        let kept = try? stored.get("id") as String
        let id =
            try [kept, found?.session, knownID(row, db)].compactMap { $0 }.first(where: Header.isSession)
            ?? Self.name(row)
        if found == nil, kept != nil, id != Self.name(row) { tell("session \(id): its header can't be read") }
        var header =
            found
            ?? Header(session: id, app: .init(id: (try? stored.text("app")) ?? "unknown"), started: Session.text(0))
        header.session = id
        func last(_ table: String) throws -> Int {
            let sql = "SELECT max(next) FROM \(table) WHERE session = ? AND typeof(next) = 'integer' AND next <= ?"
            let stored = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [row, Limits.seq + 1]) ?? 0
            let end = unread.end(of: row, in: table)
            return end <= Limits.seq + 1 ? max(stored, end) : stored
        }
        let first = header.from ?? 0
        let chunks = max(first, try last("chunk"))
        let acknowledged = known.end(of: id)
        let end = max(chunks, try last("batch"), acknowledged)
        let (next, sealed, bytes): (Int, Int, Int) = (
            try stored.get("next"), try stored.get("sealed"), try stored.get("bytes")
        )
        // A number that can't be right must not become a gap of as many events.
        let isPossible = next >= end && next - first <= max(0, bytes) / Self.shortest
        let newEnd = isPossible ? next : end
        let newSealed = sealed >= chunks && sealed <= newEnd ? sealed : chunks
        if newEnd > next, acknowledged == newEnd, next >= max(chunks, try last("batch")) {
            tell("session \(id): events \(max(first, next))–\(newEnd - 1) were acknowledged, and are missing")
        }
        let update = "UPDATE OR IGNORE session SET id = ?, header = ?, app = ?, next = ?, sealed = ? WHERE row = ?"
        try db.cachedStatement(sql: update)
            .execute(arguments: [id, header.json.text, header.app.id.stored, newEnd, newSealed, row])
        try mendBookmarks(of: row, id, first...max(first, newEnd), db)
    }

    private func mendBookmarks(of row: Int64, _ id: String, _ places: ClosedRange<Int>, _ db: Database) throws {
        let find = """
            SELECT rowid, number FROM bookmark WHERE session = ? AND (typeof(seq) <> 'integer' OR seq NOT BETWEEN ? AND ?)
            """
        let bounds: StatementArguments = [row, places.lowerBound, places.upperBound]
        for mark in try Row.fetchAll(db.cachedStatement(sql: find), arguments: bounds) {
            try step()
            tell("session \(id): the event of its bookmark \(mark["number"] as DatabaseValue) isn't there")
            try db.cachedStatement(sql: "UPDATE bookmark SET seq = ? WHERE rowid = ?")
                .execute(arguments: [places.upperBound, mark["rowid"] as Int64])
        }
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
