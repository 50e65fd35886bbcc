#if Server
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
        static func migrate(
            _ connection: PostgresConnection, _ schema: String, _ address: PostgresAddress
        ) throws {
            // A step may take long on large tables.
            try connection.runScript("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
            do {
                try connection.run("SELECT pg_advisory_xact_lock(\(lockClass), hashtext($1))", .text(schema))
                // Only if it is missing: to create a schema takes a right that a server otherwise doesn't need.
                if try connection.run("SELECT to_regnamespace($1) IS NULL AS missing", .text(schema))[0].bool("missing")
                {
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

        private static let steps = [tables + search, servers, identity]

        /// By which apps know the archive again, whatever its server's address is.
        private static let identity = """
            CREATE TABLE identity (id text NOT NULL);
            INSERT INTO identity VALUES (md5(random()::text || clock_timestamp()::text || pg_backend_pid()::text));
            """

        private static let tables = """
            -- What seldom changes.
            CREATE TABLE session (
                row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                id bytea NOT NULL UNIQUE,
                key bytea NOT NULL,
                app bytea NOT NULL,
                device bytea,
                header bytea NOT NULL,
                received bigint NOT NULL,
                title bytea,
                kept boolean NOT NULL DEFAULT false,
                -- An upload that isn't complete.
                hidden boolean NOT NULL DEFAULT false,
                -- Raised when what was answered for an event may have changed.
                version bigint NOT NULL DEFAULT 1,
                -- How many bookmarks there are, and how many changes were made to them.
                bookmarks bigint NOT NULL DEFAULT 0,
                marked bigint NOT NULL DEFAULT 0,
                -- As JSON: the result of a replay into the session's app, and why the app did not launch as asked.
                replay bytea,
                failure bytea,
                -- The texts of header and title, folded, for searches.
                found text[] NOT NULL
            );
            CREATE INDEX session_device ON session (sha256(device));
            CREATE INDEX session_received ON session (received, row);

            -- What changes with each commit. Room on each page lets an update leave the indexes alone.
            CREATE TABLE progress (
                session bigint PRIMARY KEY,
                next bigint NOT NULL,
                -- Everything below is sealed: lies in chunks, not in batches, and never changes.
                sealed bigint NOT NULL,
                bytes bigint NOT NULL DEFAULT 0,
                -- The approximate bytes of the session's rows in all tables.
                stored bigint NOT NULL DEFAULT 0,
                duration double precision NOT NULL DEFAULT 0,
                seen bigint NOT NULL,
                complete boolean NOT NULL,
                owner bytea NOT NULL,
                ended bytea
            ) WITH (fillfactor = 50);

            CREATE TABLE label (session bigint NOT NULL, key bytea NOT NULL, value bytea NOT NULL);
            CREATE INDEX label_session ON label (session);

            -- Lines from `first` up to below `next`, newline after each.
            CREATE TABLE batch (
                session bigint NOT NULL, first bigint NOT NULL, next bigint NOT NULL, lines bytea NOT NULL,
                PRIMARY KEY (session, first)
            );

            -- lz4 is ten times as fast as PostgreSQL's own compression, which would limit how much can be recorded.
            DO $$ BEGIN
                ALTER TABLE batch ALTER COLUMN lines SET COMPRESSION lz4;
            EXCEPTION WHEN feature_not_supported THEN
                ALTER TABLE batch ALTER COLUMN lines SET STORAGE EXTERNAL;
            END $$;

            -- The lines that set or clear what a patch is relative to; one without a store concerns all stores. `hash` is the
            -- first part of the store's digest.
            CREATE TABLE base (
                session bigint NOT NULL, hash bigint NOT NULL, seq bigint NOT NULL, kind smallint NOT NULL, store bytea
            );
            CREATE INDEX base_session ON base (session, hash, seq);

            -- Lines, and the heads of the same lines in columns; both are compressed already.
            CREATE TABLE chunk (
                session bigint NOT NULL, first bigint NOT NULL, next bigint NOT NULL, lines bytea NOT NULL,
                PRIMARY KEY (session, first)
            );
            ALTER TABLE chunk ALTER COLUMN lines SET STORAGE EXTERNAL;
            CREATE TABLE head (
                session bigint NOT NULL, first bigint NOT NULL, next bigint NOT NULL, columns bytea NOT NULL,
                PRIMARY KEY (session, first)
            );
            ALTER TABLE head ALTER COLUMN columns SET STORAGE EXTERNAL;

            -- What the columns call by number: types and stores.
            CREATE TABLE name (
                session bigint NOT NULL, number bigint NOT NULL, text bytea NOT NULL, PRIMARY KEY (session, number)
            );

            -- The state of a store after an event, compressed: where a walk may begin.
            CREATE TABLE keyframe (
                session bigint NOT NULL, hash bigint NOT NULL, seq bigint NOT NULL, store bytea NOT NULL,
                state bytea NOT NULL
            );
            CREATE INDEX keyframe_session ON keyframe (session, hash, seq);
            ALTER TABLE keyframe ALTER COLUMN state SET STORAGE EXTERNAL;

            -- Where background work on a session failed, and how often.
            CREATE TABLE trouble (
                session bigint PRIMARY KEY, seq bigint NOT NULL, count bigint NOT NULL, reason bytea NOT NULL
            );

            -- Sessions that were deleted and don't come back; with `row` while rows of theirs are left.
            CREATE TABLE deleted (id bytea NOT NULL UNIQUE, row bigint);
            CREATE INDEX deleted_row ON deleted (row) WHERE row IS NOT NULL;

            CREATE TABLE launch (
                number bigint GENERATED ALWAYS AS IDENTITY,
                id bytea NOT NULL, app bytea NOT NULL, device bytea NOT NULL, labels bytea NOT NULL, mode text NOT NULL,
                session bytea, seq bigint, once boolean NOT NULL
            );
            CREATE UNIQUE INDEX launch_id ON launch (sha256(id));
            CREATE UNIQUE INDEX launch_target ON launch (sha256(app), sha256(device), sha256(labels));

            CREATE TABLE bookmark (
                session bigint NOT NULL, number bigint NOT NULL, seq bigint NOT NULL, made bigint NOT NULL,
                word bigint NOT NULL, text bytea NOT NULL, author bytea, PRIMARY KEY (session, number)
            );

            -- What people call a device; the nickname is also there folded, for searches.
            CREATE TABLE device (id bytea NOT NULL, nickname bytea NOT NULL, found text[] NOT NULL);
            CREATE UNIQUE INDEX device_id ON device (sha256(id));

            """

        private static let search = """
            -- What people search sessions for: types that occur, notes, bookmarks. `folded` is the text in lower case
            -- if lower case of ASCII alone is something else.
            CREATE TABLE word (
                row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                session bigint NOT NULL,
                text text COLLATE "C" NOT NULL,
                folded text COLLATE "C"
            );
            CREATE INDEX word_session ON word (session);
            """

        /// What the servers of one archive tell each other. A crash of the database empties most of it; the servers then
        /// write it again.
        private static let servers = """
            -- Each server says here again and again that it is alive, and which number its last news have.
            CREATE UNLOGGED TABLE server (id text PRIMARY KEY, seen timestamptz NOT NULL, told bigint NOT NULL DEFAULT 0);

            -- The connected apps. A row counts while its owner is that of the session and its server is alive. The status
            -- is JSON; null for a process that sends a recovered recording.
            CREATE UNLOGGED TABLE app (
                session bigint PRIMARY KEY, owner bytea NOT NULL, server text NOT NULL, attempt bigint NOT NULL,
                status bytea NOT NULL
            ) WITH (fillfactor = 50);

            -- Numbered by each server, since numbers of a sequence become visible in another order.
            CREATE UNLOGGED TABLE news (
                server text NOT NULL, number bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
                body bytea NOT NULL, PRIMARY KEY (server, number)
            );

            -- Requests to a server, and its answers.
            CREATE UNLOGGED TABLE request (
                id text PRIMARY KEY, server text NOT NULL, method text NOT NULL, path bytea NOT NULL,
                body bytea NOT NULL, expires timestamptz NOT NULL, taken boolean NOT NULL DEFAULT false,
                status bigint, type text, answer bytea
            );
            CREATE INDEX request_server ON request (server) WHERE NOT taken;

            -- What each “statetape run” last reported, and what its app answered to the launch state.
            CREATE UNLOGGED TABLE run (
                id text PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, body bytea NOT NULL, start bytea,
                seen timestamptz NOT NULL
            );

            -- The tokens that a server made.
            CREATE TABLE secret (name text PRIMARY KEY, value text NOT NULL);

            -- The session that is about to get a launch state for a single run, and the id of its answer.
            ALTER TABLE launch ADD COLUMN run bytea, ADD COLUMN run_start bytea;

            CREATE INDEX session_hidden ON session (row) WHERE hidden;

            -- Whether the recording is paused.
            ALTER TABLE session ADD COLUMN paused boolean NOT NULL DEFAULT false;
            """

        /// Creates the index of trigrams if its extension is installed, or may be. Without it a search reads
        /// all words.
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
#endif
