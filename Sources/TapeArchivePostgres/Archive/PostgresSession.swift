import TapeArchive

/// The settings of each connection.
enum PostgresSession {
    /// Prepares a new connection.
    ///
    /// - Returns: The archive's schema, quoted. It may not exist yet.
    /// - Throws: ``PostgresError``, or ``ServerError`` if the database isn't suitable.
    static func begin(_ connection: PostgresConnection) throws -> String {
        let facts = try connection.run(
            """
            SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::bigint AS version,
                CASE source WHEN 'client' THEN setting END AS path, quote_ident(current_user) AS person
            FROM pg_settings WHERE name = 'search_path'
            """)[0]
        let encoding = try facts.text("encoding")
        guard encoding == "UTF8" else {
            throw ServerError(
                .database,
                "The database has the encoding \(encoding), but StateTape needs UTF8: create it with “-E UTF8”.")
        }
        guard try facts.int("version") >= 140_000 else {
            throw ServerError(.database, "The database server is older than PostgreSQL 14, which StateTape needs.")
        }
        let schema =
            try facts.optionalText("path").flatMap { first(of: $0) }
            .map { try $0 == "\"$user\"" ? facts.text("person") : $0 } ?? PostgresSchema.name
        // Plans are made before a table has its statistics. Every statement for one session has an index.
        // A connection that is cut must not keep its locks for hours.
        try connection.runScript(
            """
            SET search_path = \(schema); SET jit = off; SET enable_seqscan = off; SET work_mem = '64MB';
            SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s';
            SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
            """)
        return schema
    }

    /// The first name of a search path, quoted if need be; nil if it is empty.
    static func first(of path: String) -> String? {
        var isQuoted = false
        let name = path.prefix { letter in
            if letter == "\"" { isQuoted.toggle() }
            return isQuoted || letter != ","
        }
        let text = name.trimmingPrefix(while: \.isWhitespace)
        return text.isEmpty || isQuoted ? nil : String(text)
    }
}
