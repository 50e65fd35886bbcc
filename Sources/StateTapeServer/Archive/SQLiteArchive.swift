#if Server
    import Foundation
    import GRDB
    import TapeFormat

    /// The archive in one SQLite file.
    final class SQLiteArchive: Archive {
        let pool: DatabasePool
        let headers = ParsedHeaders()
        /// The file as it was opened.
        let identity: stat
        /// Nil where nothing is written.
        let reserve: Reserve?

        /// Opens the file, or makes it.
        ///
        /// - Throws: ``ServerError`` if it is of a newer version, or no database of ours, or can't be written.
        init(_ file: URL, sync: Configuration.Sync) throws(ServerError) {
            do {
                var configuration = GRDB.Configuration()
                configuration.busyMode = .timeout(Self.busyTimeout)
                configuration.prepareDatabase { db in
                    // Only possible before the first table.
                    if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
                        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                    }
                    // Some systems' SQLite writes zeros over whatever is deleted: twice the work for each line that is sealed,
                    // and on a full disk no room for it.
                    try db.execute(sql: "PRAGMA secure_delete = FAST")
                }
                pool = try DatabasePool(path: file.path, configuration: configuration)
                guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
                    throw ServerError(
                        .newerDatabase, "The archive \(file.path) was written by a newer version of StateTape.")
                }
                try Schema.migrator.migrate(pool)
                // The pool sets NORMAL when it opens.
                try pool.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA synchronous = \(sync == .full ? "FULL" : "NORMAL")")
                    // A log that a long read has let grow is cut to this when it begins anew.
                    try db.execute(sql: "PRAGMA journal_size_limit = \(16 << 20)")
                }
                identity = Self.identity(of: file)
                reserve = Reserve(file.deletingLastPathComponent().appendingPathComponent("reserve").path)
            } catch let error as ServerError {
                throw error
            } catch {
                throw ServerError(.archive, "The archive \(file.path) can't be opened: \(Self.reason(error)).")
            }
        }

        /// Opens the file to read only, beside a server that may be running.
        ///
        /// - Throws: ``ServerError`` if there is none, or it is of another version, or no database of ours.
        init(reading file: URL) throws(ServerError) {
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw ServerError(.archive, "There is no archive \(file.path).")
            }
            do {
                var configuration = GRDB.Configuration()
                configuration.readonly = true
                configuration.busyMode = .timeout(Self.busyTimeout)
                pool = try DatabasePool(path: file.path, configuration: configuration)
                identity = Self.identity(of: file)
                reserve = nil
                guard try pool.read(Schema.migrator.hasCompletedMigrations),
                    try !pool.read(Schema.migrator.hasBeenSuperseded)
                else {
                    throw ServerError(
                        .newerDatabase, "The archive \(file.path) is of another version of StateTape than this.")
                }
            } catch let error as ServerError {
                throw error
            } catch {
                throw ServerError(.archive, "The archive \(file.path) can't be opened: \(Self.reason(error)).")
            }
        }

        private static func identity(of file: URL) -> stat {
            var found = stat()
            stat(file.path, &found)
            return found
        }

        func close() throws {
            // The pool's last connection to close is a reader, which can't do it.
            try pool.barrierWriteWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try pool.close()
        }

        /// What a person needs of a driver's error, without the statement.
        static func reason(_ error: any Error) -> String {
            (error as? DatabaseError)?.message ?? "\(error)"
        }
    }
#endif
