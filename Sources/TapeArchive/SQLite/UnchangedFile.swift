import Foundation
import GRDB
import GRDBSQLite

/// Opens an archive's file so that no byte in its folder changes, while no server uses the folder.
///
/// SQLite otherwise writes `-shm` also to read, and deletes a log in which it finds nothing.
enum UnchangedFile {
    static func open(_ file: URL, _ configuration: GRDB.Configuration) throws -> DatabasePool {
        var found = stat()
        let hasLog = stat(file.path + "-wal", &found) == 0 && found.st_size > 0
        guard hasLog else {
            return try DatabasePool(path: file.absoluteString + "?immutable=1", configuration: configuration)
        }
        var configuration = configuration
        configuration.prepareDatabase { db in
            // The log's index is then in memory.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            var keepsLog: Int32 = 1
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
        }
        // An exclusive lock needs the right to write, unless this says that nobody else is there.
        return try DatabasePool(path: file.absoluteString + "?vfs=unix-none", configuration: configuration)
    }
}
