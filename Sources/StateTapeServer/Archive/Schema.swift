#if Server
    import GRDB

    /// The tables, as migrations from one version to the next.
    ///
    /// Lines lie in batches, not in rows of their own: a row for each event costs several times the event.
    enum Schema {
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { db in
                try db.execute(
                    sql: """
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

                        -- The lines that set or clear what a patch is relative to; those of no store concern all.
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
                )
            }
            migrator.registerMigration("2") { db in
                // What became of the actions that were replayed into the session's app, as JSON.
                try db.execute(sql: "ALTER TABLE session ADD COLUMN replay TEXT")
            }
            return migrator
        }
    }
#endif
