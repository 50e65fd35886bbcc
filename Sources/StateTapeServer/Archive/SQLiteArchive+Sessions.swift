#if Server
    import GRDB
    import TapeFormat

    extension SQLiteArchive {
        /// The columns of a session, with what people call its device.
        private static let summarised =
            "session.*, (SELECT nickname FROM device WHERE device.id = session.device) AS nickname"

        func session(_ id: String) throws -> Session? {
            try pool.read { db in
                try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT \(Self.summarised) FROM session WHERE id = ? AND NOT hidden"),
                    arguments: [id]
                ).map(Session.init)
            }
        }

        func next(of ids: Set<String>) throws -> [String: Int] {
            try pool.read { db in
                let find = try db.cachedStatement(sql: "SELECT next FROM session WHERE id = ?")
                return try ids.reduce(into: [:]) { $0[$1] = try Int.fetchOne(find, arguments: [$1]) ?? 0 }
            }
        }

        func ids(beginningWith prefix: String) throws -> [String] {
            try pool.read { db in
                // The letters of an id all sort below “~”.
                try String.fetchAll(
                    db, sql: "SELECT id FROM session WHERE id >= ? AND id < ? AND NOT hidden LIMIT 2",
                    arguments: [prefix, prefix + "~"])
            }
        }

        func sessions(_ query: SessionQuery) throws -> [Session] {
            var conditions: [SQL] = ["NOT hidden"]
            if let app = query.app { conditions.append("app = \(app)") }
            for (key, value) in query.labels {
                conditions.append(
                    "EXISTS (SELECT 1 FROM json_each(header, '$.labels') WHERE key = \(key) AND value = \(value))")
            }
            if let text = query.text {
                conditions.append(Self.holds(text))
            }
            if let only = query.only { conditions.append("id IN \(only)") }
            if let except = query.except { conditions.append("id NOT IN \(except)") }
            if let before = query.before { conditions.append("row < \(before)") }
            let request: SQLRequest<Row> = """
                SELECT \(sql: Self.summarised) FROM session WHERE \(conditions.joined(operator: .and))
                ORDER BY row DESC LIMIT \(query.limit)
                """
            return try pool.read { db in try request.fetchAll(db).map(Session.init) }
        }

        func latestSession(app: String, device: String, except id: String) throws -> Session? {
            try pool.read { db in
                try Row.fetchOne(
                    db,
                    sql: """
                        SELECT * FROM session WHERE app = ? AND device = ? AND id <> ? AND next > 0 AND NOT hidden
                        ORDER BY lastSeen DESC, row DESC LIMIT 1
                        """,
                    arguments: [app, device, id]
                ).map(Session.init)
            }
        }

        func keep(_ replay: JSON, of session: Int64) throws {
            try write { db in
                try db.execute(
                    sql: "UPDATE session SET replay = ? WHERE row = ?", arguments: [replay.text, session])
            }
        }

        func endReplays() throws {
            try write { db in
                try db.execute(
                    sql: """
                        UPDATE session SET replay = json_set(replay, '$.status', 'lost')
                        WHERE replay IS NOT NULL AND json_extract(replay, '$.status') = 'running'
                        """)
            }
        }

        func edit(_ session: Int64, title: String?, labels: [String: String]?, kept: Bool?) throws {
            try write { db in
                try db.execute(
                    sql: "UPDATE session SET title = coalesce(?, title), kept = coalesce(?, kept) WHERE row = ?",
                    arguments: [title, kept, session])
                guard let labels,
                    let row = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE row = ?", arguments: [session])
                else { return }
                var header = try Session(row).header
                header.labels = labels
                try db.execute(
                    sql: "UPDATE session SET header = ? WHERE row = ?", arguments: [header.json.text, session])
            }
        }
    }

    extension Session {
        init(_ row: Row?) throws {
            guard let row else { throw DatabaseError(message: "a session has vanished") }
            let replay: String? = row["replay"]
            try self.init(
                row: row["row"], owner: row["owner"], hidden: row["hidden"],
                header: Header(JSON(parsing: row["header"] as String)), received: row["received"],
                lastSeen: row["lastSeen"], next: row["next"], sealed: row["sealed"], bytes: row["bytes"],
                duration: row["duration"], complete: row["complete"], ended: row["ended"], title: row["title"],
                kept: row["kept"], bookmarks: row["bookmarks"], marked: row["marked"], nickname: row["nickname"],
                replay: replay.map { try JSON(parsing: $0) }, version: row["version"])
        }
    }
#endif
