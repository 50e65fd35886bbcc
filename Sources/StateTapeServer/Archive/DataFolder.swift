#if Server
    import Foundation

    /// The folder with a server's archive and token. A lock keeps other servers out.
    final class DataFolder: Sendable {
        private let folder: URL
        private let lock: Int32

        /// The name of the archive's file.
        static let archive = "archive.sqlite"

        /// The name of the file with the acknowledged ends of sessions.
        static let acknowledged = "acknowledged"

        var working: URL { folder.appendingPathComponent("working") }
        var token: URL { folder.appendingPathComponent("token") }
        /// The token of view-only links.
        var viewToken: URL { folder.appendingPathComponent("view-token") }

        /// Creates the folder if it doesn't exist.
        init(_ folder: URL) throws(ServerError) {
            self.folder = folder
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw ServerError(
                    .dataFolder, "The data folder \(folder.path) can't be created: \(error.localizedDescription)")
            }
            lock = open(folder.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard lock >= 0 else {
                throw ServerError(
                    .dataFolder, "The data folder \(folder.path) can't be written: \(String(cString: strerror(errno)))."
                )
            }
            // `deinit` closes the file, also if this throws.
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                throw ServerError(.dataInUse, "The data folder \(folder.path) is in use by another server.")
            }
        }

        deinit {
            close(lock)
        }

        /// Lets another server use the folder.
        func unlock() {
            flock(lock, LOCK_UN)
        }

        /// The token from the first start that needed one.
        ///
        /// - Parameter token: Its file.
        /// - Returns: The token, and whether it was made just now.
        func keptToken(in token: URL) throws(ServerError) -> (token: String, isNew: Bool) {
            if let kept = try? String(contentsOf: token, encoding: .utf8) {
                let kept = kept.trimmingCharacters(in: .whitespacesAndNewlines)
                if !kept.isEmpty { return (kept, false) }
            }
            let made = RandomName.make()
            // The file must never be readable for other users, not even for a moment.
            // A link could lead to a file that isn't this server's.
            let file = open(token.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            let isWritten =
                file >= 0 && fchmod(file, 0o600) == 0 && write(file, made + "\n", made.utf8.count + 1) > made.utf8.count
            let reason = String(cString: strerror(errno))
            if file >= 0 { close(file) }
            guard isWritten else {
                throw ServerError(.dataFolder, "The token file \(token.path) can't be written: \(reason).")
            }
            return (made, true)
        }
    }
#endif
