package import Foundation
import Logging
package import TapeArchive
import TapeArchivePostgres

/// Where an archive is: in a data folder, or in a database.
package enum ArchiveAddress: Sendable, CustomStringConvertible {
    case folder(URL)
    case database(DatabaseAddress)

    /// - Parameter text: A data folder's path, or a database's URL.
    /// - Throws: ``ServerError`` for an invalid URL.
    package init(_ text: String) throws(ServerError) {
        if DatabaseAddress.isAddress(text) {
            self = .database(try DatabaseAddress(text))
        } else {
            // A leading “~” is a name; the shell has replaced it where it means the home folder.
            self = .folder(URL(fileURLWithPath: text.hasPrefix("~") ? "./" + text : text, isDirectory: true))
        }
    }

    package var description: String {
        switch self {
        case .folder(let folder): folder.path
        case .database(let address): address.description
        }
    }

    /// Opens the archive, or creates it.
    ///
    /// - Throws: ``ServerError`` if it can't be written, or was written by a newer version.
    func open(sync: Sync, logger: Logger) throws(ServerError) -> any Archive {
        switch self {
        case .folder(let folder):
            try SQLiteArchive(folder.appendingPathComponent(DataFolder.archive), sync: sync)
        case .database(let address): try PostgresArchive(address.postgres, sync: sync, logger: logger)
        }
    }

    /// Opens the archive for reading only, while a server may be running.
    ///
    /// - Throws: ``ServerError`` if it doesn't exist, or was written by another version.
    func openForReading(logger: Logger) throws(ServerError) -> any Archive {
        switch self {
        case .folder(let folder): try SQLiteArchive(reading: folder.appendingPathComponent(DataFolder.archive))
        case .database(let address): try PostgresArchive(reading: address.postgres, logger: logger)
        }
    }
}

/// The address of a database. Its description leaves out the password.
package struct DatabaseAddress: Sendable, CustomStringConvertible {
    let postgres: PostgresAddress

    /// - Parameter url: Such as `postgres://user@host:5432/name?sslmode=verify-full`.
    /// - Throws: ``ServerError`` if it isn't a valid URL of a database. The text contains nothing of the password.
    package init(_ url: String) throws(ServerError) {
        postgres = try PostgresAddress(url)
    }

    package static func isAddress(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

    /// Whether the URL itself contains a password.
    package var hasPassword: Bool { postgres.hasPassword }
    package var description: String { postgres.description }
}
