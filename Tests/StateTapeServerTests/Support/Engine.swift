import Foundation
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchive

/// An engine of the archive.
///
/// The tests of the archive itself run with each. With `STATETAPE_TEST_ENGINE=postgres` in the environment, all other
/// tests of the server use PostgreSQL too, except those that look into SQLite's file.
enum Engine: String, CaseIterable, Sendable {
    case sqlite, postgres

    static let chosen =
        ProcessInfo.processInfo.environment["STATETAPE_TEST_ENGINE"].map { name in
            guard let engine = Engine(rawValue: name) else { fatalError("STATETAPE_TEST_ENGINE: “\(name)”") }
            return engine
        } ?? .sqlite

    /// For tests that look into SQLite's file.
    static var isSQLite: Bool { chosen == .sqlite }

    /// The addresses of databases, by the folder that stands for each.
    private static let databases = Locked<[String: String]>([:])

    /// The archive that belongs to a data folder; its database is made at the first call.
    func address(for folder: URL) throws -> ArchiveAddress {
        guard self == .postgres else { return .folder(folder) }
        let known = Self.databases.withLock { $0[folder.path] }
        let address = try known ?? PrivatePostgres.shared.get().makeSchema()
        Self.databases.withLock { $0[folder.path] = address }
        return try ArchiveAddress(address)
    }

    /// Opens the archive that belongs to a data folder.
    func open(_ folder: URL, sync: Sync = .normal) throws -> any Archive {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try address(for: folder).open(sync: sync, logger: PrivatePostgres.logger)
    }
}
