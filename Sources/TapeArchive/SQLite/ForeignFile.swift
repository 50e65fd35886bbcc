package import Foundation
import GRDB

/// The database of another program, in the place of an archive. It must stay as it is.
package enum ForeignFile {
    /// Tables that each version of an archive has. A damaged one may have lost some.
    private static let tables = ["session", "batch", "base", "deleted", "grdb_migrations"]

    /// Looks without changing anything. What can't be read is left to whoever opens the file.
    package static func refuse(_ file: URL) throws(ServerError) {
        guard MissingArchive(in: file.deletingLastPathComponent()) == nil else { return }
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        guard let pool = try? UnchangedFile.open(file, configuration) else { return }
        defer { try? pool.close() }
        if (try? pool.read(isForeign)) == true { throw refusal(file) }
    }

    /// Whether a database has tables, and not those of an archive.
    static func isForeign(_ db: Database) throws -> Bool {
        let names = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        return !names.isEmpty && tables.count(where: names.contains) < 3
    }

    static func refusal(_ file: URL) -> ServerError {
        ServerError(
            .archive,
            "\(file.path) is a database of another program, not StateTape's: name another data folder, or move the file away."
        )
    }
}
