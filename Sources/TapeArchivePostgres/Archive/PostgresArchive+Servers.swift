import TapeFormat

extension PostgresArchive {
    /// The other server to which a session's app is connected.
    func holder(of session: Int64, lease: Duration) throws -> String? {
        let sql = """
            SELECT a.server FROM app a JOIN progress p ON p.session = a.session AND p.owner = a.owner
            JOIN server v ON v.id = a.server AND \(AppRows.isAlive("v", lease: 3))
            WHERE a.session = $1 AND a.server <> $2
            """
        return try read {
            try $0.run(sql, .int(session), .text(server), .double(lease / .seconds(1))).first?.text("server")
        }
    }

    package func pause(_ session: Int64, _ isPaused: Bool) throws {
        try write(isRepeatable: true) {
            _ = try $0.run("UPDATE session SET paused = $1 WHERE row = $2", .bool(isPaused), .int(session))
        }
    }

    /// The secret with this name. The first server that asks for it stores it; all get the same.
    ///
    /// - Returns: The secret, and whether it was stored just now.
    package func secret(_ name: String, or made: String) throws -> (value: String, isNew: Bool) {
        try write(isRepeatable: true) { connection in
            let isNew =
                try connection.run(
                    "INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", .text(name),
                    .text(made)
                ).changed == 1
            let kept = try connection.run("SELECT value FROM secret WHERE name = $1", .text(name))[0].text("value")
            // After a lost connection it may be there from the first try.
            return (kept, isNew || kept == made)
        }
    }

    package func forgetSecret(_ name: String) throws {
        try write(isRepeatable: true) { _ = try $0.run("DELETE FROM secret WHERE name = $1", .text(name)) }
    }
}
