import CPostgres

/// A new schema in a database, so that each run begins with an empty archive; dropped when this object is deallocated.
final class DatabaseSchema: Sendable {
    let name = "bench_\(UInt32.random(in: 0...(.max)))"
    /// The database's address with this schema. The connections bear the schema's name, by which they can be found.
    let address: String
    private let database: String

    init(in database: String) throws {
        self.database = database
        address =
            database + (database.contains("?") ? "&" : "?")
            + "options=-csearch_path%3D\(name)&application_name=\(name)"
        try run("CREATE SCHEMA \(name)")
    }

    deinit {
        // The database would print a notice with all tables.
        _ = try? run("SET client_min_messages = warning; DROP SCHEMA \(name) CASCADE")
    }

    /// Runs SQL on a new connection.
    ///
    /// - Returns: The first column of the last statement's rows.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        guard let connection = PQconnectdb(database) else { throw BareDatabase.Failure(description: "no memory") }
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw BareDatabase.failure(connection)
        }
        return (0..<PQntuples(result)).map { row in PQgetvalue(result, row, 0).map { String(cString: $0) } ?? "" }
    }

    /// The bytes of the tables and indexes once the space of deleted rows at their ends is freed. The maps of free
    /// space, of a fixed size in small tables, don't count.
    var bytes: Int {
        get throws {
            let tables = "FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = '\(name)'::regnamespace"
            for table in try run("SELECT format('%I.%I', '\(name)', c.relname) \(tables)") {
                try run("VACUUM \(table)")
            }
            let sum = try run(
                """
                WITH stored AS (SELECT c.oid \(tables) UNION ALL SELECT c.reltoastrelid \(tables))
                SELECT (SELECT sum(pg_relation_size(oid)) FROM stored WHERE oid <> 0)
                    + (SELECT sum(pg_relation_size(indexrelid)) FROM pg_index WHERE indrelid IN (SELECT oid FROM stored))
                """)
            return sum.first.flatMap { Int($0) } ?? 0
        }
    }

    /// Ends the connections on which servers wait for the database's messages.
    ///
    /// - Returns: How many there were.
    func cutListeners() throws -> Int {
        try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name) listens'
            """
        ).count
    }
}
