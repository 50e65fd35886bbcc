package import Foundation

/// An archive's file that is missing or empty, and what the other files of its folder tell about it.
///
/// SQLite would delete the log beside such a file, although the log may have everything that was in it.
package struct MissingArchive {
    private let folder: URL
    private let file: String
    private let isEmpty: Bool
    /// Whether SQLite's log can have pages of the archive.
    package let hasLog: Bool
    /// Whether the folder had an archive before.
    package let wasUsed: Bool

    /// Nil if the file has content. SQLite takes one byte for none.
    package init?(in folder: URL) {
        func size(_ name: String) -> Int? {
            var found = stat()
            return stat(folder.appendingPathComponent(name).path, &found) == 0 ? Int(found.st_size) : nil
        }
        let bytes = size(DataFolder.archive)
        // Whoever opens the file tells it.
        if bytes == nil, errno != ENOENT, errno != ENOTDIR { return nil }
        if let bytes, bytes > 1 { return nil }
        self.folder = folder
        file = folder.appendingPathComponent(DataFolder.archive).path
        isEmpty = bytes != nil
        hasLog = size(DataFolder.archive + "-wal") ?? 0 > 0
        // Both are created beside an archive that was opened to write, and stay.
        wasUsed = hasLog || size(DataFolder.acknowledged) != nil || size(DataFolder.reserve) != nil
    }

    /// Why the archive can't be read.
    package var error: ServerError { ServerError(.archive, sentence) }

    /// Why a server doesn't start with a new archive.
    package var refusal: ServerError {
        ServerError(
            .archive,
            "\(sentence) To start with a new archive on purpose, move the folder \(folder.path) away first.")
    }

    private var sentence: String {
        if hasLog {
            return """
                The archive \(file) is \(state), but its log \(file)-wal is not: \
                “\(DataFolder.repairCommand(for: folder))” copies what the log has to a new folder.
                """
        }
        if wasUsed {
            return
                "The archive \(file) is \(state), and its log has nothing of it: put the file back from a backup."
        }
        return isEmpty
            ? "The archive \(file) is empty: name a server's data folder."
            : "There is no archive in \(folder.path): name a server's data folder."
    }

    private var state: String { isEmpty ? "empty" : "missing" }
}
