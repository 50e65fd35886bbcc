import Foundation
import GRDB
package import TapeFormat

extension SQLiteArchive {
    /// The columns of a session. The header also as bytes, since the conversion to a text hides damage.
    package static let columns = "session.*, CAST(header AS BLOB) AS headerBytes"
    /// The same, with its device's nickname.
    private static let summarised =
        """
        \(columns), (SELECT nickname FROM device WHERE device.id = session.device) AS nickname,
        (SELECT reason FROM trouble WHERE trouble.session = session.row AND count > 1) AS setAside
        """

    /// The columns of a session without its device's nickname, where other tables are damaged.
    private static let alone = "\(columns), NULL AS nickname, NULL AS setAside"

    package func session(_ id: String) throws -> Session? {
        func find(_ columns: String) throws -> Session? {
            try readAround { db, hint in
                let sql = "SELECT \(columns) FROM session\(hint) WHERE id = ? AND NOT hidden"
                return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]).map {
                    try Session($0, headers)
                }
            }
        }
        do {
            return try find(Self.summarised)
        } catch  where Damage.isMeant(by: error) {
            // Without what is in other tables.
            return try find(Self.alone)
        }
    }

    package func next(of ids: Set<String>) throws -> [String: Int] {
        try pool.read { db in
            let find = try db.cachedStatement(sql: "SELECT next FROM session WHERE id = ?")
            return try ids.reduce(into: [:]) { $0[$1] = try Int.fetchOne(find, arguments: [$1]) ?? 0 }
        }
    }

    package func ids(beginningWith prefix: String) throws -> [String] {
        try pool.read { db in
            // All letters of an id sort before “~”.
            try String.fetchAll(
                db, sql: "SELECT id FROM session WHERE id >= ? AND id < ? AND NOT hidden LIMIT 2",
                arguments: [prefix, prefix + "~"])
        }
    }

    package func sessions(_ query: SessionQuery) throws -> SessionPage {
        var conditions: [SQL] = ["NOT hidden"]
        if let app = query.app { conditions.append("app = \(app.stored)") }
        for (key, value) in query.labels {
            conditions.append(
                "EXISTS (SELECT 1 FROM json_each(\(sql: Self.readableHeader), '$.labels') WHERE key = \(key.stored) AND value = \(value.stored))"
            )
        }
        if let text = query.text {
            conditions.append(Self.holds(text))
        }
        if let only = query.only { conditions.append("id IN \(only)") }
        if let except = query.except { conditions.append("id NOT IN \(except)") }
        if let place = query.after {
            conditions.append("(received, row) < (\(place.received), \(place.row))")
        }
        let condition = conditions.joined(operator: .and)
        let request: SQLRequest<Row> = """
            SELECT \(sql: Self.summarised) FROM session WHERE \(condition)
            ORDER BY received DESC, row DESC LIMIT \(query.limit + 1)
            """
        do {
            return try pool.read { try Self.page(request.fetchAll($0), query.limit, isFirst: query.after == nil) }
        } catch  where Damage.isMeant(by: error) {
            let select: SQL = "SELECT \(sql: Self.alone) FROM session NOT INDEXED WHERE \(condition)"
            // Without a transaction, which damage ends.
            let found = try pool.unsafeRead { try Self.rowsAround($0, select, key: "row") }
            // Nothing can be read, so nothing says that there are no sessions.
            if found.isEmpty { throw error }
            let rows = try found.map {
                (row: $0, place: ((try? $0.get("received")) ?? Int.max, try $0.get("row") as Int64))
            }
            return try Self.page(
                rows.sorted { $0.place > $1.place }.map(\.row), query.limit, isFirst: query.after == nil)
        }
    }

    /// - Parameter isFirst: The page begins the list.
    private static func page(_ rows: [Row], _ limit: Int, isFirst: Bool) throws -> SessionPage {
        let page = rows.prefix(limit)
        // A session that can't be read doesn't hide the others or later pages.
        let sessions = page.compactMap { try? Session($0) }
        // An empty list says that there are none.
        if isFirst, rows.count <= limit, sessions.isEmpty, let first = page.first { _ = try Session(first) }
        return SessionPage(
            sessions: sessions,
            next: rows.count > limit
                ? try page.last.map { row in
                    // In SQLite's order, damaged times come before all numbers.
                    SessionCursor(received: (try? row.get("received")) ?? .max, row: try row.get("row"))
                }
                : nil)
    }

    package func latestSession(app: String, device: String, except id: String) throws -> Session? {
        try pool.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT \(Self.columns) FROM session WHERE app = ? AND device = ? AND id <> ? AND next > 0 AND NOT hidden
                    ORDER BY lastSeen DESC, row DESC LIMIT 1
                    """,
                arguments: [app.stored, device.stored, id]
            ).map { try Session($0) }
        }
    }

    package func keep(_ replay: JSON, of session: Int64) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE session SET replay = ? WHERE row = ?", arguments: [replay.text, session])
        }
    }

    package func keep(_ failure: Pushed.Failure, ofStart session: Int64) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE session SET startFailed = ? WHERE row = ?", arguments: [failure.json.text, session])
        }
    }

    package func endReplays() throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE session SET replay = json_set(replay, '$.status', 'lost')
                    WHERE json_extract(CASE WHEN json_valid(replay) THEN replay ELSE '{}' END, '$.status') = 'running'
                    """)
        }
    }

    package func pause(_ session: Int64, _ isPaused: Bool) throws {
        try write { db in
            try db.execute(sql: "UPDATE session SET paused = ? WHERE row = ?", arguments: [isPaused, session])
        }
    }

    /// Changes the labels of a session.
    ///
    /// - Throws: ``DamagedSession`` if the header can't be read.
    static func relabel(_ session: Int64, _ db: Database, _ body: (inout [String: String]) -> Void) throws {
        let find = "SELECT \(columns) FROM session WHERE row = ?"
        guard let row = try Row.fetchOne(db, sql: find, arguments: [session]) else { return }
        let session = try Session(row)
        var header = try session.intactHeader
        body(&header.labels)
        try db.execute(
            sql: "UPDATE session SET header = ? WHERE row = ?", arguments: [header.json.text, session.row])
    }

    package func edit(_ session: Int64, title: String?, labels: [String: String]?, kept: Bool?) throws {
        try writeEdit { db in
            try db.execute(
                sql: "UPDATE session SET title = coalesce(?, title), kept = coalesce(?, kept) WHERE row = ?",
                arguments: [title?.stored, kept, session])
            if let labels { try Self.relabel(session, db) { $0 = labels } }
        }
    }
}

extension Session {
    /// - Parameter headers: The cache of parsed headers.
    init(_ row: Row?, _ headers: ParsedHeaders = ParsedHeaders()) throws {
        guard let row else { throw DatabaseError(message: "a session has vanished") }
        let replay: String? = try row.get("replay")
        let startFailed: String? = try row.get("startFailed")
        // Limited to the format's range: the values are used in ranges and sums.
        let place: (next: Int, sealed: Int) = (try row.get("next"), try row.get("sealed"))
        let next = min(max(0, place.next), Limits.seq + 1)
        let sealed = min(max(0, place.sealed), next)
        let received: Int = try row.get("received")
        let text: Data? = try row.get("headerBytes")
        let header = try text.flatMap { try headers.header(of: row.get("row"), [UInt8]($0)) }
        try self.init(
            row: row.get("row"), owner: row.get("owner"), hidden: row.get("hidden"),
            // A session with a damaged header can still be found, read and deleted.
            header: header
                ?? Header(session: row.get("id"), app: .init(id: row.text("app")), started: Self.text(received)),
            isHeaderDamaged: header == nil, isEndDamaged: place != (next, sealed), received: received,
            lastSeen: row.get("lastSeen"), next: next, sealed: sealed, bytes: row.get("bytes"),
            duration: row.get("duration"), complete: row.get("complete"), ended: row.optionalText("ended"),
            title: row.optionalText("title"), kept: row.get("kept"), isPaused: row.get("paused"),
            bookmarks: row.get("bookmarks"),
            marked: row.get("marked"), nickname: row.optionalText("nickname"),
            replay: replay.flatMap { try? JSON(parsing: $0) },
            startFailed: startFailed.flatMap { try? JSON(parsing: $0) }, version: row.get("version"),
            setAside: row.optionalText("setAside"))
    }
}
