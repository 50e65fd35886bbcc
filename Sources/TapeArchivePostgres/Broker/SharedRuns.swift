import TapeArchive
import TapeFormat

/// Stores the runs in the database.
package struct SharedRuns: RunStore {
    private let archive: PostgresArchive

    package init(_ archive: PostgresArchive) {
        self.archive = archive
    }

    func all() throws -> [JSON] {
        let sql = "SELECT body, start FROM run WHERE \(Self.isKept) ORDER BY number"
        return try archive.read { try $0.run(sql, Self.lease).map(Self.json) }
    }

    func report(_ run: Run) throws -> JSON {
        let sql = """
            INSERT INTO run (id, body, seen) VALUES ($1, $2, clock_timestamp())
            ON CONFLICT (id) DO UPDATE
                SET body = excluded.body, seen = excluded.seen, start = CASE WHEN $3 THEN run.start END
            RETURNING body, start
            """
        let trim = "DELETE FROM run WHERE number <= (SELECT number FROM run ORDER BY number DESC OFFSET $1 LIMIT 1)"
        return try archive.write(isRepeatable: true) { connection in
            let row = try connection.run(sql, .text(run.id), .utf8(run.json.text), .bool(run.status == .running))[0]
            try connection.run(trim, .int(Run.limit))
            return try Self.json(row)
        }
    }

    func end(_ id: String) throws -> Bool {
        // Not repeatable: a second try would say that it wasn't known.
        try archive.write { try $0.run("DELETE FROM run WHERE id = $1", .text(id)).changed > 0 }
    }

    func answered(_ start: JSON.Object, by id: String) throws -> Bool {
        try archive.write(isRepeatable: true) {
            let sql = "UPDATE run SET start = $2 WHERE id = $1"
            return try $0.run(sql, .text(id), .utf8(JSON.object(start).text)).changed > 0
        }
    }

    func expire() throws -> Bool {
        try archive.write { try $0.run("DELETE FROM run WHERE NOT \(Self.isKept)", Self.lease).changed > 0 }
    }

    private static let isKept = "seen > clock_timestamp() - make_interval(secs => $1)"
    private static let lease = PostgresValue.double(Run.lease / .seconds(1))

    private static func json(_ row: PostgresRow) throws -> JSON {
        let start = try row.optionalText("start").flatMap { try? JSON(parsing: $0) }
        return joined((try? JSON(parsing: row.text("body"))) ?? .null, start?.object)
    }
}
