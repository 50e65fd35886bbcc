import Foundation

/// A file in a data folder. What else may have its name, such as a link or a pipe, is neither followed nor waited for.
package enum DataFile {
    /// Opens a file, and creates it if it doesn't exist. Only its owner may read a new one.
    ///
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: ``ServerError`` if it isn't a plain file, or has another name and is to be written, or the system
    ///   refuses it.
    package static func open(_ path: String, _ flags: Int32) throws(ServerError) -> Int32 {
        guard let file = try descriptor(path, flags | O_CREAT) else { throw refused(path, ENOENT) }
        return file
    }

    /// The same for a file that may be absent; then nil.
    package static func openExisting(_ path: String, _ flags: Int32) throws(ServerError) -> Int32? {
        try descriptor(path, flags)
    }

    private static func descriptor(_ path: String, _ flags: Int32) throws(ServerError) -> Int32? {
        let file = Foundation.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        let reason = errno
        var found = stat()
        let toWrite = flags & O_ACCMODE != O_RDONLY
        if file >= 0, fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG, !toWrite || found.st_nlink < 2 {
            return file
        }
        if file >= 0 { close(file) }
        try check(path, toWrite: toWrite)
        if file < 0, reason == ENOENT { return nil }
        throw refused(path, reason)
    }

    private static func refused(_ path: String, _ reason: Int32, _ what: String = "opened") -> ServerError {
        ServerError(.dataFolder, "The file \(path) can't be \(what): \(String(cString: strerror(reason))).")
    }

    /// Copies a file to a new one, which only its owner may read and write, whatever the first one allows.
    ///
    /// - Parameter step: Called now and then.
    static func copy(_ path: String, to copy: String, step: () throws -> Void) throws {
        guard let source = try openExisting(path, O_RDONLY) else { throw refused(path, ENOENT) }
        defer { close(source) }
        let target = try open(copy, O_WRONLY | O_EXCL)
        defer { close(target) }
        var part = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            try step()
            let count = read(source, &part, part.count)
            guard count >= 0 else { throw refused(path, errno, "read") }
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = part[done..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                guard written > 0 else { throw refused(copy, errno, "written") }
                done += written
            }
        }
    }

    /// Looks at a file that only other code opens, such as SQLite's.
    ///
    /// - Parameter toWrite: Refuse a file that has another name, too: what is written would be in both.
    /// - Throws: ``ServerError`` if it exists and isn't a plain file.
    package static func check(_ path: String, toWrite: Bool) throws(ServerError) {
        var found = stat()
        guard lstat(path, &found) == 0 else { return }
        let kind: String
        var way = ""
        switch found.st_mode & S_IFMT {
        case S_IFREG:
            guard toWrite, found.st_nlink > 1 else { return }
            kind = "a hard link to a file that has another name, too"
            way = ", or put a copy there,"
        case S_IFLNK:
            kind = "a link"
            way = ", or put the file itself there,"
        case S_IFDIR: kind = "a folder"
        case S_IFIFO: kind = "a pipe"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw ServerError(
            .dataFolder,
            "\(path) is \(kind), but a data folder has only plain files: move it away\(way) and try again."
        )
    }
}
