import Foundation
import TapeArchive

/// The folders that a start makes: the data folder and those above it that don't exist yet. If the start fails, they are
/// removed, while the server still has the lock of the data folder.
struct NewFolders {
    /// The innermost first.
    private let folders: [URL]

    init(_ data: URL) {
        var (folders, next) = ([URL](), data.standardizedFileURL)
        while next.path != "/", !FileManager.default.fileExists(atPath: next.path) {
            folders.append(next)
            next.deleteLastPathComponent()
        }
        self.folders = folders
    }

    /// Whether they would be in a folder, under whatever names.
    func isInside(_ folder: URL) -> Bool {
        guard let outermost = folders.last else { return false }
        func real(_ url: URL) -> [String]? {
            guard let path = realpath(url.path, nil) else { return nil }
            defer { free(path) }
            return URL(fileURLWithPath: String(cString: path)).pathComponents
        }
        guard let parent = real(outermost.deletingLastPathComponent()), let outer = real(folder) else { return false }
        return parent.starts(with: outer)
    }

    /// Removes the server's own files in the data folder, and the folders that are then empty.
    func remove() {
        guard let data = folders.first else { return }
        for name in DataFolder.names { unlink(data.appendingPathComponent(name).path) }
        for folder in folders where rmdir(folder.path) != 0 { return }
    }
}
