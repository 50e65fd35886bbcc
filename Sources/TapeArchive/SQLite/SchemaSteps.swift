extension Schema {
    /// What each version adds. A step that has been published never changes: archives exist that were made with it.
    static let steps = [
        tables,
        // The result of a replay into the session's app, as JSON.
        "ALTER TABLE session ADD COLUMN replay TEXT",
        sealed + marks,
        trouble,
        // Why the app did not launch as asked, as JSON.
        "ALTER TABLE session ADD COLUMN startFailed TEXT",
        // The order of the list of sessions; an index ends with the row.
        "CREATE INDEX sessionReceived ON session(received)",
        // Whether the recording is paused.
        "ALTER TABLE session ADD COLUMN paused INTEGER NOT NULL DEFAULT 0",
        identity,
        // Of the lines, since a page has none: a changed digit is still a valid line.
        "ALTER TABLE batch ADD COLUMN sum INTEGER",
    ]

    private static let tables = """
        CREATE TABLE session (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            key BLOB NOT NULL,
            owner TEXT NOT NULL,
            app TEXT NOT NULL,
            device TEXT,
            header TEXT NOT NULL,
            received INTEGER NOT NULL,
            lastSeen INTEGER NOT NULL,
            next INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            duration REAL NOT NULL DEFAULT 0,
            complete INTEGER NOT NULL DEFAULT 1,
            ended TEXT,
            title TEXT,
            kept INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX sessionOfDevice ON session(app, device, lastSeen);

        -- Lines from `first` up to below `next`, newline after each.
        CREATE TABLE batch (
            session INTEGER NOT NULL,
            first INTEGER NOT NULL,
            next INTEGER NOT NULL,
            lines BLOB NOT NULL
        );
        CREATE UNIQUE INDEX batchOfSession ON batch(session, first);

        -- The lines that set or clear what a patch is relative to; one without a store concerns all stores.
        CREATE TABLE base (
            session INTEGER NOT NULL,
            store TEXT,
            seq INTEGER NOT NULL,
            kind INTEGER NOT NULL
        );
        CREATE INDEX baseOfSession ON base(session, store, seq);

        -- Sessions that were deleted and don't come back; with `row` while lines of theirs are left.
        CREATE TABLE deleted (id TEXT NOT NULL UNIQUE, row INTEGER);

        CREATE TABLE startState (
            id TEXT NOT NULL UNIQUE,
            app TEXT NOT NULL,
            device TEXT NOT NULL,
            labels TEXT NOT NULL,
            mode TEXT NOT NULL,
            session TEXT,
            seq INTEGER,
            once INTEGER NOT NULL,
            UNIQUE (app, device, labels)
        );
        """

    private static let sealed = """
        -- Everything below is sealed: lies in chunks, not in batches, and never changes.
        ALTER TABLE session ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
        -- Raised when what was answered for an event may have changed.
        ALTER TABLE session ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        -- An upload that isn't complete.
        ALTER TABLE session ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;

        CREATE INDEX deletedRow ON deleted(row) WHERE row IS NOT NULL;

        -- Lines from `first` up to below `next`, newline after each, compressed.
        CREATE TABLE chunk (
            session INTEGER NOT NULL,
            first INTEGER NOT NULL,
            next INTEGER NOT NULL,
            lines BLOB NOT NULL
        );
        CREATE UNIQUE INDEX chunkOfSession ON chunk(session, first);

        -- The heads of the same lines in columns, compressed.
        CREATE TABLE head (
            session INTEGER NOT NULL,
            first INTEGER NOT NULL,
            next INTEGER NOT NULL,
            columns BLOB NOT NULL
        );
        CREATE UNIQUE INDEX headOfSession ON head(session, first);

        -- What the columns call by number: types and stores.
        CREATE TABLE name (
            session INTEGER NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (session, number)
        );

        -- The state of a store after an event, compressed: where a walk may begin.
        CREATE TABLE keyframe (
            session INTEGER NOT NULL,
            store TEXT NOT NULL,
            seq INTEGER NOT NULL,
            state BLOB NOT NULL
        );
        CREATE UNIQUE INDEX keyframeOfSession ON keyframe(session, store, seq);

        """

    private static let marks = """
        -- What people search sessions for: types that occur, notes, bookmarks.
        CREATE TABLE word (
            row INTEGER PRIMARY KEY,
            session INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        CREATE INDEX wordOfSession ON word(session);
        CREATE VIRTUAL TABLE wordText USING fts5(text, content='word', content_rowid='row', tokenize='trigram');
        CREATE TRIGGER wordInserted AFTER INSERT ON word BEGIN
            INSERT INTO wordText(rowid, text) VALUES (new.row, new.text);
        END;
        CREATE TRIGGER wordDeleted AFTER DELETE ON word BEGIN
            INSERT INTO wordText(wordText, rowid, text) VALUES ('delete', old.row, old.text);
        END;

        -- How many bookmarks there are, and how many changes were made to them.
        ALTER TABLE session ADD COLUMN bookmarks INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;

        -- A place that somebody has marked; `number` names it within its session, and `word` is its text there.
        CREATE TABLE bookmark (
            session INTEGER NOT NULL,
            number INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            text TEXT NOT NULL,
            author TEXT,
            made INTEGER NOT NULL,
            word INTEGER NOT NULL,
            UNIQUE (session, number)
        );

        -- What people call a device.
        CREATE TABLE device (id TEXT NOT NULL UNIQUE, nickname TEXT NOT NULL);
        """

    /// Where background work on a session failed, and how often. After two failures there, the server stops trying.
    private static let trouble = """
        CREATE TABLE trouble (
            session INTEGER NOT NULL UNIQUE,
            seq INTEGER NOT NULL,
            count INTEGER NOT NULL,
            reason TEXT NOT NULL
        );
        """

    /// By which apps know the archive again, whatever its server's address is.
    private static let identity = """
        CREATE TABLE identity (id TEXT NOT NULL);
        INSERT INTO identity VALUES (lower(hex(randomblob(16))));
        """
}
