import Foundation
import TapeFormat

/// Writes the output file of a command.
///
/// A regular file is replaced once the new one is complete, and keeps its permissions. Symbolic links are followed.
/// Devices, pipes and files with several hard links are written in place. If writing a regular file fails, the old
/// file is unchanged.
enum OutputFile {
    /// Opens the file, and calls `body` to write all of it.
    ///
    /// - Parameters:
    ///   - path: The file; “-” and `/dev/stdout` are standard output.
    ///   - replaces: Whether an existing file may be overwritten.
    ///   - body: Writes the content.
    /// - Throws: `Failure` with the path and the reason.
    static func write(_ path: String, replaces: Bool = true, _ body: (FileHandle) throws -> Void) throws {
        if isStandardOutput(path) { return try writing(path) { try body(.standardOutput) } }
        var info = stat()
        guard stat(path, &info) == 0 else {
            guard errno == ENOENT else { throw unwritable(path, errno) }
            // A dangling link stays a link.
            return lstat(path, &info) == 0
                ? try writeInPlace(path, O_CREAT | O_EXCL, body) : try replace(path, as: path, nil, body)
        }
        let kind = info.st_mode & S_IFMT
        if kind == S_IFDIR { throw Failure("\(path) is a folder; pass a file in it.") }
        guard kind == S_IFREG else { return try writeInPlace(path, 0, body) }
        guard replaces else { throw Failure("\(path) exists already; pass -o \(path.shellPath) to overwrite it.") }
        if info.st_nlink > 1 { return try writeInPlace(path, O_TRUNC, body) }
        guard let target = realpath(path, nil) else { throw unwritable(path, errno) }
        defer { free(target) }
        try replace(String(cString: target), as: path, info, body)
    }

    /// Fails early, before the work whose result is to be written.
    ///
    /// - Throws: `Failure` if the file's folder is missing.
    static func requireFolder(of path: String) throws {
        if !isStandardOutput(path), let problem = folderProblem(of: target(of: path)) {
            throw Failure("\(path) can't be written: \(problem)")
        }
    }

    static func isStandardOutput(_ path: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
    }

    private static func writeInPlace(_ path: String, _ flags: Int32, _ body: (FileHandle) throws -> Void) throws {
        let file = open(flags & O_CREAT != 0 ? target(of: path) : path, O_WRONLY | O_CLOEXEC | flags, 0o666)
        guard file >= 0 else { throw unwritable(path, errno) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try writing(path) {
            try body(handle)
            try handle.close()
        }
    }

    /// Writes a new file in the same folder, then renames it to the target.
    private static func replace(
        _ target: String, as path: String, _ old: stat?, _ body: (FileHandle) throws -> Void
    ) throws {
        let url = URL(named: target, isDirectory: false)
        let draft = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent.prefix(100)).\(UUID().uuidString)").path
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw unwritable(path, errno) }
        var isDone = false
        defer { if !isDone { unlink(draft) } }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        if let old {
            // Only root may keep the old owner; for others this fails.
            _ = fchown(file, old.st_uid, old.st_gid)
            fchmod(file, old.st_mode & 0o7777)
        }
        try writing(path) {
            try body(handle)
            guard fsync(file) == 0 || errno == EINVAL else { throw unwritable(path, errno) }
            try handle.close()
        }
        // Another process may have created the file meanwhile. Some file systems have no hard links.
        if old == nil, link(draft, target) != 0, errno == EEXIST {
            throw Failure("\(path) exists already; pass -o \(path.shellPath) to overwrite it.")
        }
        guard rename(draft, target) == 0 else { throw unwritable(path, errno) }
        // A rename between two hard links of one file does nothing.
        unlink(draft)
        isDone = true
    }

    private static func writing(_ path: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("\(path) can't be written: \(error.reason)")
        }
    }

    private static func unwritable(_ path: String, _ code: Int32) -> Failure {
        let isFolders = code == ENOENT || code == ENOTDIR
        let problem = isFolders ? folderProblem(of: target(of: path)) : nil
        return Failure("\(path) can't be written: \(problem ?? String(cString: strerror(code)))")
    }

    /// The file to which a symbolic link leads, or the path itself.
    private static func target(of path: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path))
            .map { URL(fileURLWithPath: $0, relativeTo: URL(named: path, isDirectory: false)).path } ?? path
    }

    /// Not that of `NSString`, which traps at a path of one character.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex && path.count > 1 ? "/" : String(path[..<slash])
    }

    /// Why no file can be in the path's folder; nil if one can.
    private static func folderProblem(of path: String) -> String? {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : parent(of: path)
        var found = folder
        var isFolder: ObjCBool = true
        while !found.isEmpty, !FileManager.default.fileExists(atPath: found, isDirectory: &isFolder) {
            found = parent(of: found)
        }
        if !found.isEmpty, !isFolder.boolValue { return "\(found) is not a folder." }
        return found == folder ? nil : "the folder \(folder) doesn't exist. Create it, or pass another path."
    }
}
