import Foundation
import StateTapeServer
import TapeArchive

/// The temporary data folders of private servers. A command that was killed leaves its own, which the next one removes.
struct LeftFolder {
    /// A server that starts makes its folder, then locks it.
    private static let startTime = 2

    /// The path of a new folder, after those that dead commands left have been removed.
    ///
    /// - Parameter command: The command, as part of the name.
    static func new(for command: String) -> URL {
        let all = FileManager.default.temporaryDirectory
        let prefix = "statetape-\(command)-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: all.path)) ?? []
        where name.hasPrefix(prefix) && name.dropFirst(prefix.count).wholeMatch(of: /[0-9a-f]{32}/) != nil {
            let folder = all.appendingPathComponent(name)
            if isLeft(folder.path) { try? FileManager.default.removeItem(at: folder) }
        }
        return all.appendingPathComponent(prefix + RandomName.make())
    }

    /// Whether a folder is this user's, and no server has its lock.
    private static func isLeft(_ path: String) -> Bool {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid() else {
            return false
        }
        let file = open(path + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        #if os(Linux)
            func seconds(_ info: stat) -> Int { info.st_mtim.tv_sec }
        #else
            func seconds(_ info: stat) -> Int { info.st_mtimespec.tv_sec }
        #endif
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_uid == geteuid(),
            seconds(info) + startTime < time(nil)
        else { return false }
        // Freed with the file.
        return flock(file, LOCK_EX | LOCK_NB) == 0
    }
}
