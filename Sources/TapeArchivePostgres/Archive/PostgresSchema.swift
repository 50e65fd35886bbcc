import TapeArchive

/// The tables in PostgreSQL, as numbered steps from one version to the next.
///
/// Texts of others are `bytea`, since a text can't contain NUL. An index on such a column has its digest, since an
/// entry of an index has at most 2,700 bytes.
enum PostgresSchema {
    /// The name of the schema, unless the address sets a `search_path`.
    static let name = "statetape"

    /// The highest step that this version knows.
    static var latest: Int { steps.count }

    /// Brings the tables up to date. Two servers that start at once do it one after the other.
    ///
    /// - Parameters:
    ///   - connection: Not in a transaction.
    ///   - schema: The schema's name, quoted.
    /// - Throws: ``ServerError`` if a newer version made the tables.
    static func migrate(_ connection: PostgresConnection, _ schema: String, _ address: PostgresAddress) throws {
        // A step may take long on large tables.
        try connection.runScript("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        do {
            try connection.run("SELECT pg_advisory_xact_lock(\(lockClass), hashtext($1))", .text(schema))
            // Only if it is missing: to create a schema takes a right that a server otherwise doesn't need.
            if try connection.run("SELECT to_regnamespace($1) IS NULL AS missing", .text(schema))[0].bool("missing") {
                try connection.runScript("CREATE SCHEMA \(schema)")
            }
            try connection.runScript("CREATE TABLE IF NOT EXISTS migration (number bigint PRIMARY KEY)")
            let version = try version(connection)
            guard version <= latest else { throw newer(address) }
            for (index, step) in steps.enumerated().dropFirst(version) {
                try connection.runScript(step)
                try connection.run("INSERT INTO migration VALUES ($1)", .int(index + 1))
            }
            try connection.runScript("COMMIT")
        } catch {
            try? connection.runScript("ROLLBACK")
            throw error
        }
    }

    /// The number of the last step that was run.
    static func version(_ connection: PostgresConnection) throws(PostgresError) -> Int {
        try connection.run("SELECT coalesce(max(number), 0) AS version FROM migration")[0].int("version")
    }

    static func newer(_ address: PostgresAddress) -> ServerError {
        ServerError(.newerDatabase, "The archive \(address) was written by a newer version of StateTape.")
    }

    /// The first number of the advisory locks for migrations, for the server that does the work of only one, for
    /// freeing the space of deleted sessions, and for `statetape move`.
    private static let lockClass = 1_398_035_024
    static let leaderLockClass = 1_398_035_025
    static let sweepLockClass = 1_398_035_026
    static let moveLockClass = 1_398_035_027

    /// The indexes after all steps. The one of trigrams is there only if its extension is.
    static let indexes = [
        "app_pkey", "base_session", "batch_pkey", "bookmark_pkey", "chunk_pkey", "deleted_id_key", "deleted_row",
        "device_id", "head_pkey", "keyframe_session", "label_session", "launch_id", "launch_target",
        "migration_pkey", "name_pkey", "news_pkey", "progress_pkey", "request_pkey", "request_server", "run_pkey",
        "secret_pkey", "server_pkey", "session_device", "session_hidden", "session_id_key", "session_pkey",
        "session_received", "trouble_pkey", "word_pkey", "word_session",
    ]

    /// Creates the index of trigrams if its extension is installed, or may be. Without it a search reads all words.
    static func addWordIndex(_ connection: PostgresConnection, _ schema: String) throws(PostgresError) {
        // Two servers that start at once do it one after the other.
        try connection.run("SELECT pg_advisory_lock(\(lockClass), hashtext($1))", .text(schema))
        defer { _ = try? connection.run("SELECT pg_advisory_unlock(\(lockClass), hashtext($1))", .text(schema)) }
        let find = """
            SELECT quote_ident(nspname) AS place FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
            WHERE extname = 'pg_trgm'
            """
        if try connection.run(find).isEmpty {
            for place in ["public", schema] {
                if (try? connection.runScript("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA \(place)")) != nil {
                    break
                }
            }
        }
        guard let place = try connection.run(find).first?.text("place"),
            try connection.run("SELECT to_regclass('word_text') IS NULL AS missing")[0].bool("missing")
        else { return }
        try connection.runScript(
            """
            CREATE INDEX word_text ON word
                USING gin (coalesce(folded, lower(text)) \(place).gin_trgm_ops)
            """)
    }
}
