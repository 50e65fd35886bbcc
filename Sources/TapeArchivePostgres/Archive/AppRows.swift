import TapeArchive
import TapeFormat

/// The rows of the apps that are connected to a server. A row counts while its owner is the session's owner, and while
/// its server says that it is alive.
enum AppRows {
    /// Writes rows of this server that differ, unless another one owns the session by now. All who write several
    /// rows do so in this order, so that no two wait for each other.
    static func write(_ apps: [HeldApp], _ server: String) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO app (session, owner, server, attempt, status)
            SELECT p.session, p.owner, $1, c.attempt, c.status
            FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[]) AS c(session, owner, attempt, status)
            JOIN progress p ON p.session = c.session AND p.owner = c.owner
            LEFT JOIN app a ON a.session = c.session
            WHERE (a.owner, a.server, a.status) IS DISTINCT FROM (p.owner, $1, c.status)
            ORDER BY p.session
            ON CONFLICT (session) DO UPDATE
                SET owner = excluded.owner, server = excluded.server, attempt = excluded.attempt,
                    status = excluded.status
            """, .text(server), .ints(apps.map(\.row)), .utf8s(apps.map(\.owner)),
            .ints(apps.map { $0.attempt ?? -1 }), .utf8s(apps.map { ($0.status?.whole ?? .null).text }))
    }

    package static func remove(_ apps: [HeldApp], _ server: String) -> PostgresStatement {
        PostgresStatement(
            """
            DELETE FROM app WHERE session IN (
                SELECT a.session FROM app a JOIN unnest($2::bigint[], $3::bytea[]) AS c(session, owner)
                    ON a.session = c.session AND a.owner = c.owner
                WHERE a.server = $1 FOR UPDATE OF a SKIP LOCKED)
            """, .text(server), .ints(apps.map(\.row)), .utf8s(apps.map(\.owner)))
    }

    /// Finds the rows of this server's apps other than these.
    static func others(_ apps: [HeldApp], _ server: String) -> PostgresStatement {
        PostgresStatement(
            "SELECT session, owner FROM app WHERE server = $1 AND NOT session = ANY($2)", .text(server),
            .ints(apps.map(\.row)))
    }

    /// Finds the apps whose session has another owner, or was deleted.
    static func lost(_ apps: [HeldApp]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT c.id AS session, p.session IS NULL AS deleted
            FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS c(session, owner, id)
            LEFT JOIN progress p ON p.session = c.session
            WHERE p.owner IS DISTINCT FROM c.owner
            """, .ints(apps.map(\.row)), .utf8s(apps.map(\.owner)), .utf8s(apps.map(\.session)))
    }

    /// The condition under which a server is alive; the lease in seconds is the parameter with this number. A time in
    /// the future is from before the database's clock was set back.
    static func isAlive(_ server: String, lease parameter: Int) -> String {
        let lease = "make_interval(secs => $\(parameter))"
        return "\(server).seen BETWEEN clock_timestamp() - \(lease) AND clock_timestamp() + \(lease)"
    }

    /// Finds the apps of other servers; of these sessions, or of all.
    static func find(_ sessions: Set<String>?, except server: String, lease: Duration) -> PostgresStatement {
        let sql = """
            SELECT s.id, a.server, a.status FROM app a
            JOIN progress p ON p.session = a.session AND p.owner = a.owner
            JOIN session s ON s.row = a.session
            JOIN server v ON v.id = a.server AND \(isAlive("v", lease: 2))
            WHERE a.server <> $1
            """
        let parameters: [PostgresValue] = [.text(server), .double(lease / .seconds(1))]
        guard let sessions else { return PostgresStatement(sql, parameters) }
        return PostgresStatement(sql + " AND s.id = ANY($3)", parameters + [.utf8s(Array(sessions))])
    }

    /// The rows that `find` has found.
    static func apps(_ rows: PostgresRows) throws -> [String: RemoteApps.App] {
        var apps: [String: RemoteApps.App] = [:]
        for row in rows {
            apps[try row.text("id")] = RemoteApps.App(
                server: try row.text("server"),
                status: (try? JSON(parsing: row.text("status"))).flatMap(LiveApp.init(whole:)))
        }
        return apps
    }
}
