import Foundation
import TapeArchive

/// The folder that a repair creates. Who created it owns it: another repair with the same target must not remove it.
struct RepairTarget {
    let folder: URL
    /// While it is there, the target can't be taken for a whole one.
    var work: URL { folder.appendingPathComponent(DataFolder.repair) }
    /// Those that were created, the innermost first.
    private let created: [URL]

    /// - Throws: ``ServerError`` if it exists, or can't be created. Nothing is left then.
    init(_ folder: URL) throws(ServerError) {
        let folder = folder.standardizedFileURL
        var created: [URL] = []
        self.folder = folder
        do throws(ServerError) {
            for parent in Self.missing(folder.deletingLastPathComponent()) {
                guard mkdir(parent.path, 0o777) == 0 else {
                    if errno == EEXIST { continue }
                    throw Self.refused(parent)
                }
                created.insert(parent, at: 0)
            }
            // By the creation itself: between a look and a creation, another one may create it.
            guard mkdir(folder.path, 0o700) == 0 else { throw Self.refused(folder) }
        } catch {
            for folder in created where rmdir(folder.path) != 0 { break }
            throw error
        }
        self.created = [folder] + created
    }

    /// Removes what was created. A folder above with something else stays.
    func remove() {
        try? FileManager.default.removeItem(at: work)
        for name in DataFolder.names { unlink(folder.appendingPathComponent(name).path) }
        for folder in created where rmdir(folder.path) != 0 { return }
    }

    /// The outermost first.
    private static func missing(_ folder: URL) -> [URL] {
        var (folders, next) = ([URL](), folder)
        while next.path != "/", !FileManager.default.fileExists(atPath: next.path) {
            folders.insert(next, at: 0)
            next.deleteLastPathComponent()
        }
        return folders
    }

    private static func refused(_ folder: URL) -> ServerError {
        let reason = errno
        return ServerError(
            .dataFolder,
            reason == EEXIST
                ? "\(folder.path) exists already: --to names a new folder."
                : "The folder \(folder.path) can't be created: \(String(cString: strerror(reason))).")
    }
}
