package import Foundation

/// Keeps servers out of a data folder while it is read. Several readers may do so at once.
package final class SourceLock: Sendable {
    private let file: Int32?

    /// Creates nothing: a folder without a lock file was never used by a server.
    ///
    /// - Throws: ``ServerError`` if a server uses the folder.
    package init(_ folder: URL) throws(ServerError) {
        let file = try DataFile.openExisting(folder.appendingPathComponent("lock").path, O_RDONLY)
        if let file, flock(file, LOCK_SH | LOCK_NB) != 0 {
            close(file)
            throw ServerError(
                .dataInUse, "The data folder \(folder.path) is in use by a server: stop the server first.")
        }
        self.file = file
    }

    /// Nil if a server uses the folder.
    package static func unlessInUse(_ folder: URL) throws(ServerError) -> SourceLock? {
        do {
            return try SourceLock(folder)
        } catch  where error.code == .dataInUse {
            return nil
        }
    }

    deinit {
        if let file { close(file) }
    }
}
