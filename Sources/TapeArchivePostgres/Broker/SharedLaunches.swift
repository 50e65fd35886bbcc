import TapeArchive

/// Keeps the reservations in the database. One lasts while its run is connected to any server.
package struct SharedLaunches: OneTimeLaunches {
    private let archive: PostgresArchive

    package init(_ archive: PostgresArchive) {
        self.archive = archive
    }

    func take(_ state: String, as start: String, for session: String) throws -> Bool {
        let sql = """
            UPDATE launch SET run = $2, run_start = $3 WHERE id = $1 AND (run IS NULL OR run = $2 OR NOT EXISTS (
                SELECT FROM session s JOIN progress p ON p.session = s.row
                JOIN app a ON a.session = s.row AND a.owner = p.owner WHERE s.id = launch.run))
            """
        return try archive.write(isRepeatable: true) {
            try $0.run(sql, .utf8(state), .utf8(session), .utf8(start)).changed == 1
        }
    }

    func arrived(at session: String, _ start: String?) throws -> String? {
        let find = "SELECT id FROM launch WHERE run = $1 AND ($2::bytea IS NULL OR run_start = $2)"
        return try archive.read { try $0.run(find, .utf8(session), .utf8(start)).first?.text("id") }
    }

    func missed(_ session: String) throws {
        try archive.write(isRepeatable: true) {
            _ = try $0.run("UPDATE launch SET run = NULL, run_start = NULL WHERE run = $1", .utf8(session))
        }
    }
}
