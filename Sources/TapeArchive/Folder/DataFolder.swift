package import Foundation
import TapeFormat

/// The folder with a server's archive and token. A lock keeps other servers out.
package final class DataFolder: Sendable {
    private let folder: URL
    private let lock: Int32

    /// The name of the archive's file.
    package static let archive = "archive.sqlite"

    /// The name of the file with the acknowledged ends of sessions.
    package static let acknowledged = "acknowledged"

    /// The name of the file that takes the space for deletions.
    package static let reserve = "reserve"

    /// The names of all files that stay in a folder.
    package static let names =
        ["", "-wal", "-shm", "-journal"].map { archive + $0 }
        + [acknowledged, reserve, "lock", "working", "token", "view-token"]

    /// The folder in which a repair works. It is gone once all that could be read is there.
    package static let repair = "unfinished-repair"

    /// The command that copies what can be read of the folder to a new one.
    package static func repairCommand(for folder: URL) -> String {
        "statetape repair --data \(folder.path.shellPath) --to NEW-FOLDER"
    }

    /// - Throws: ``ServerError`` if anything but a plain file has the name of one.
    package static func check(_ folder: URL, toWrite: Bool = false) throws(ServerError) {
        var found = stat()
        if lstat(folder.appendingPathComponent(repair).path, &found) == 0 {
            throw ServerError(
                .dataFolder,
                """
                The folder \(folder.path) is a copy that “statetape repair” didn't finish: delete it, and repair the \
                damaged folder again.
                """)
        }
        for name in names { try DataFile.check(folder.appendingPathComponent(name).path, toWrite: toWrite) }
    }

    package var working: URL { folder.appendingPathComponent("working") }
    package var token: URL { folder.appendingPathComponent("token") }
    /// The token of view-only links.
    package var viewToken: URL { folder.appendingPathComponent("view-token") }

    /// Creates the folder if it doesn't exist.
    package init(_ folder: URL) throws(ServerError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServerError(
                .dataFolder, "The data folder \(folder.path) can't be created: \(error.systemReason)")
        }
        lock = try DataFile.open(folder.appendingPathComponent("lock").path, O_RDWR)
        // `deinit` closes the file, also if this throws.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ServerError(
                .dataInUse,
                "The data folder \(folder.path) is in use by another server, or by “statetape check”, “move” or “repair”. Stop"
                    + " that one, such as a demo, with Ctrl-C; or pass another folder with --data, and another port with"
                    + " --listen 127.0.0.1:0.")
        }
    }

    deinit {
        close(lock)
    }

    /// Lets another server use the folder.
    package func unlock() {
        flock(lock, LOCK_UN)
    }

    /// The token from the first start that needed one.
    ///
    /// - Parameter token: Its file.
    /// - Returns: The token, and whether it was made just now.
    /// - Throws: ``ServerError`` if the file can't be written, or holds something else.
    package func keptToken(in token: URL) throws(ServerError) -> (token: String, isNew: Bool) {
        if let kept = try TokenFile.read(token.path) { return (kept, false) }
        let made = RandomName.make()
        try TokenFile.write(made, to: token.path)
        return (made, true)
    }
}
