package import Foundation
import GRDB

/// The database of another program, in the place of an archive. It must stay as it is.
package enum ForeignFile {
    /// Tables that each version of an archive has. A damaged one may have lost some.
    private static let tables = ["session", "batch", "base", "deleted", "grdb_migrations"]

    /// Looks without changing anything. What can't be read is left to whoever opens the file.
    ///
    /// - Parameter toRepair: An archive that has lost its tables isn't refused.
    package static func refuse(_ file: URL, toRepair: Bool = false) throws(ServerError) {
        guard MissingArchive(in: file.deletingLastPathComponent()) == nil else { return }
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        guard let pool = try? UnchangedFile.open(file, configuration) else { return }
        defer { try? pool.close() }
        guard let refusal = try? pool.read({ try refusal(of: $0, file) }) else { return }
        if !(toRepair && MissingArchive.wasUsed(file.deletingLastPathComponent())) { throw refusal }
    }

    /// Whether an archive has neither an id, although the file beside it knows one, nor a session: only its first tables
    /// are left. A server would make the others anew, and take it for another archive.
    private static func hasLostIdentity(_ db: Database, _ names: Set<String>, _ folder: URL) throws -> Bool {
        let ends = try Acknowledged.read(folder.appendingPathComponent(DataFolder.acknowledged).path)
        guard ends[0] != nil else { return false }
        return try ["identity", "session"].allSatisfy { table in
            try !names.contains(table) || Row.fetchOne(db, sql: "SELECT 1 FROM \(table)") == nil
        }
    }

    /// Nil if a database has the tables of an archive, or none, as a new one.
    static func refusal(of db: Database, _ file: URL) throws -> ServerError? {
        let names = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        let folder = file.deletingLastPathComponent()
        let isArchive = tables.count(where: names.contains) >= 3
        if isArchive, try !hasLostIdentity(db, names, folder) { return nil }
        if MissingArchive.wasUsed(folder) {
            // They were in the log, which SQLite reads up to its first damaged page.
            return ServerError(
                .archive,
                "The archive \(file.path) has lost its tables: “\(DataFolder.repairCommand(for: folder))” copies what can be read to a new folder."
            )
        }
        if names.isEmpty { return nil }
        return ServerError(
            .archive,
            "\(file.path) is a database of another program, not StateTape's: name another data folder, or move the file away."
        )
    }
}
