extension PostgresSchema {
    /// What each version adds. A step that has been published never changes: archives exist that were made with it.
    static let steps = [tables + search, servers, identity]

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
}
