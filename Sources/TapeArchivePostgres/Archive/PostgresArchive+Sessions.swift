package import TapeArchive
package import TapeFormat

extension PostgresArchive {
    /// Everything about sessions, with their devices' nicknames; a condition may follow. The session is `s`, and its
    /// progress `p`.
    static let sessionRow = """
        SELECT s.row, s.id, s.key, s.app, s.header, s.received, s.title, s.kept, s.paused, s.hidden, s.version, s.bookmarks,
            s.marked, s.replay, s.failure, p.next, p.sealed, p.bytes, p.duration, p.seen, p.complete, p.owner,
            p.ended, d.nickname, t.reason
        FROM session s JOIN progress p ON p.session = s.row
        LEFT JOIN device d ON sha256(d.id) = sha256(s.device)
        LEFT JOIN trouble t ON t.session = s.row AND t.count > 1
        """

    /// The session with this id, which must exist.
    static func stored(_ id: String, _ connection: PostgresConnection) throws -> Session {
        guard let row = try connection.run("\(sessionRow) WHERE s.id = $1", .utf8(id)).first else {
            throw PostgresError(state: "02000", message: "a session has vanished")
        }
        return try Session(row)
    }

    static func stored(_ session: Int64, _ connection: PostgresConnection) throws -> Session? {
        try connection.run("\(sessionRow) WHERE s.row = $1", .int(session)).first.map { try Session($0) }
    }

    package func session(_ id: String) throws -> Session? {
        try read {
            try $0.run("\(Self.sessionRow) WHERE s.id = $1 AND NOT s.hidden", .utf8(id)).first.map {
                try Session($0, headers)
            }
        }
    }

    package func next(of ids: Set<String>) throws -> [String: Int] {
        let sql = "SELECT s.id, p.next FROM session s JOIN progress p ON p.session = s.row WHERE s.id = ANY($1)"
        let found = try read { try $0.run(sql, .utf8s(Array(ids))).map { (try $0.text("id"), try $0.int("next")) } }
        return Dictionary(ids.map { ($0, 0) } + found) { $1 }
    }

    package func ids(beginningWith prefix: String) throws -> [String] {
        // All letters of an id sort before “~”.
        let sql = "SELECT id FROM session WHERE id >= $1 AND id < $2 AND NOT hidden LIMIT 2"
        return try read { try $0.run(sql, .utf8(prefix), .utf8(prefix + "~")).map { try $0.text("id") } }
    }

    package func allSessions() throws -> [String] {
        try read { try $0.run("SELECT id FROM session ORDER BY row").map { try $0.text("id") } }
    }

    package func latestSession(app: String, device: String, except id: String) throws -> Session? {
        let sql = """
            \(Self.sessionRow)
            WHERE sha256(s.device) = sha256($1) AND s.device = $1 AND s.app = $2 AND s.id <> $3 AND p.next > 0
                AND NOT s.hidden
            ORDER BY p.seen DESC, s.row DESC LIMIT 1
            """
        return try read { try $0.run(sql, .utf8(device), .utf8(app), .utf8(id)).first.map { try Session($0) } }
    }

    package func keep(_ replay: JSON, of session: Int64) throws {
        try write(isRepeatable: true) {
            _ = try $0.run("UPDATE session SET replay = $1 WHERE row = $2", .utf8(replay.text), .int(session))
        }
    }

    package func keep(_ failure: Pushed.Failure, ofStart session: Int64) throws {
        try write(isRepeatable: true) {
            _ = try $0.run(
                "UPDATE session SET failure = $1 WHERE row = $2", .utf8(failure.json.text), .int(session))
        }
    }

    package func endReplays() throws {
        try write(isRepeatable: true) { connection in
            let find = """
                SELECT row, replay FROM session s WHERE replay IS NOT NULL AND NOT EXISTS (
                    SELECT FROM app a JOIN progress p ON p.session = a.session AND p.owner = a.owner
                    WHERE a.session = s.row) FOR NO KEY UPDATE
                """
            for row in try connection.run(find) {
                guard var replay = (try? JSON(parsing: row.text("replay")))?.object, replay["status"] == "running"
                else { continue }
                replay["status"] = "lost"
                try connection.run(
                    "UPDATE session SET replay = $1 WHERE row = $2", .utf8(JSON.object(replay).text),
                    .int(row.int64("row")))
            }
        }
    }

    package func edit(_ session: Int64, title: String?, labels: [String: String]?, kept: Bool?) throws {
        try write(isRepeatable: true) { connection in
            try connection.run(
                "UPDATE session SET title = coalesce($1, title), kept = coalesce($2, kept) WHERE row = $3",
                .utf8(title), .bool(kept), .int(session))
            guard title != nil || labels != nil, let stored = try Self.stored(session, connection) else { return }
            guard labels != nil || !stored.isHeaderDamaged else { return }
            var header = try stored.intactHeader
            if let labels { header.labels = labels }
            try Self.keep(header, of: stored, connection)
        }
    }
}

extension Session {
    /// - Parameter headers: The cache of parsed headers.
    init(_ row: PostgresRow, _ headers: ParsedHeaders = ParsedHeaders()) throws {
        // Limited to the format's range: the values are used in ranges and sums.
        let place = (next: try row.int("next"), sealed: try row.int("sealed"))
        let next = min(max(0, place.next), Limits.seq + 1)
        let sealed = min(max(0, place.sealed), next)
        let received = try row.int("received")
        let number = try row.int64("row")
        let header = headers.header(of: number, try row.bytes("header"))
        try self.init(
            row: number, owner: row.text("owner"), hidden: row.bool("hidden"),
            // A session with a damaged header can still be found, read and deleted.
            header: header
                ?? Header(session: row.text("id"), app: .init(id: row.text("app")), started: Self.text(received)),
            isHeaderDamaged: header == nil, isEndDamaged: place != (next, sealed), received: received,
            lastSeen: row.int("seen"), next: next,
            sealed: sealed, bytes: row.int("bytes"),
            duration: row.double("duration"), complete: row.bool("complete"), ended: row.optionalText("ended"),
            title: row.optionalText("title"), kept: row.bool("kept"), isPaused: row.bool("paused"),
            bookmarks: row.int("bookmarks"), marked: row.int("marked"), nickname: row.optionalText("nickname"),
            replay: row.optionalText("replay").flatMap { try? JSON(parsing: $0) },
            startFailed: row.optionalText("failure").flatMap { try? JSON(parsing: $0) },
            version: row.int("version"), setAside: row.optionalText("reason"))
    }
}
