package import Foundation
import GRDB

/// The database of another program, in the place of an archive. It must stay as it is.
package enum ForeignFile {
    /// Tables that each version of an archive has. A damaged one may have lost some.
    private static let tables = ["session", "batch", "base", "deleted", "grdb_migrations"]

    private enum Kind {
        case archive, new, foreign
        /// Only its first tables are left: the others were in the log, which SQLite reads up to its first damaged page.
        case lost
    }

    /// Looks without changing anything. What can't be read is left to whoever opens the file.
    ///
    /// - Parameter toRepair: An archive that has lost its tables isn't refused.
    package static func refuse(_ file: URL, toRepair: Bool = false) throws(ServerError) {
        guard MissingArchive(in: file.deletingLastPathComponent()) == nil else { return }
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        guard let pool = try? UnchangedFile.open(file, configuration) else { return }
        defer { try? pool.close() }
        guard let kind = try? pool.read({ try kind(of: $0, file) }) else { return }
        if toRepair, case .lost = kind { return }
        if let refusal = refusal(kind, file) { throw refusal }
    }

    /// Nil if a database has the tables of an archive, or none, as a new one.
    static func refusal(of db: Database, _ file: URL) throws -> ServerError? { try refusal(kind(of: db, file), file) }

    private static func refusal(_ kind: Kind, _ file: URL) -> ServerError? {
        switch kind {
        case .archive, .new: return nil
        case .foreign:
            return ServerError(
                .archive,
                "\(file.path) is a database of another program, not StateTape's: name another data folder, or move the file away."
            )
        case .lost:
            let repair = DataFolder.repairCommand(for: file.deletingLastPathComponent())
            return ServerError(
                .archive,
                "The archive \(file.path) has lost StateTape's tables: “\(repair)” copies what can be read to a new folder."
            )
        }
    }

    private static func kind(of db: Database, _ file: URL) throws -> Kind {
        let names = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        let known = tables.count(where: names.contains)
        let acknowledged = file.deletingLastPathComponent().appendingPathComponent(DataFolder.acknowledged)
        // Written once an archive has its id.
        let wasArchive = try Acknowledged.read(acknowledged.path)[0] != nil
        if known >= 3 {
            guard wasArchive else { return .archive }
            // A server would make the other tables anew, and take it for another archive.
            let isEmpty = try ["identity", "session"].allSatisfy { table in
                try !names.contains(table) || Row.fetchOne(db, sql: "SELECT 1 FROM \(table)") == nil
            }
            return isEmpty ? .lost : .archive
        }
        if names.isEmpty { return wasArchive ? .lost : .new }
        let isOurs = names.allSatisfy { name in
            tables.contains(name) || Schema.names.contains(name) || name.hasPrefix("sqlite_") || name.hasPrefix("word")
        }
        return wasArchive && isOurs ? .lost : .foreign
    }
}
