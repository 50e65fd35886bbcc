#if Server
    import Foundation

    /// The file that a command writes for its user.
    ///
    /// A regular file is replaced once the new one is whole, and keeps its permissions; a link is followed. Devices, pipes
    /// and files with several names are written through. So nothing but a regular file is ever replaced, and a failure
    /// leaves what was there.
    enum OutputFile {
        /// Lends the file to `body`, which writes all of it.
        ///
        /// - Parameters:
        ///   - path: “-” and `/dev/stdout` are standard output.
        ///   - replaces: Whether an existing file may be overwritten.
        ///   - body: Writes the file.
        /// - Throws: `Failure` that names the path and the reason; what `body` throws.
        static func write(_ path: String, replaces: Bool = true, _ body: (FileHandle) throws -> Void) throws {
            if isStandardOutput(path) { return try writing(path) { try body(.standardOutput) } }
            var info = stat()
            guard stat(path, &info) == 0 else {
                guard errno == ENOENT else { throw unwritable(path, errno) }
                // A link to nothing stays a link.
                return lstat(path, &info) == 0
                    ? try through(path, O_CREAT | O_EXCL, body) : try beside(path, as: path, nil, body)
            }
            let kind = info.st_mode & S_IFMT
            if kind == S_IFDIR { throw Failure("\(path) is a folder; name a file in it.") }
            guard kind == S_IFREG else { return try through(path, 0, body) }
            guard replaces else { throw Failure("\(path) exists already; name it with -o to overwrite it.") }
            if info.st_nlink > 1 { return try through(path, O_TRUNC, body) }
            guard let target = realpath(path, nil) else { throw unwritable(path, errno) }
            defer { free(target) }
            try beside(String(cString: target), as: path, info, body)
        }

        static func isStandardOutput(_ path: String) -> Bool {
            ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
        }

        /// Writes into what is there.
        private static func through(_ path: String, _ flags: Int32, _ body: (FileHandle) throws -> Void) throws {
            var target = path
            if flags & O_CREAT != 0, let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                target = URL(fileURLWithPath: link, relativeTo: URL(fileURLWithPath: path)).path
            }
            let file = open(target, O_WRONLY | O_CLOEXEC | flags, 0o666)
            guard file >= 0 else { throw unwritable(path, errno) }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            try writing(path) {
                try body(handle)
                try handle.close()
            }
        }

        /// Writes a new file in the same folder, which takes the place of the old one once it is whole.
        private static func beside(
            _ target: String, as path: String, _ old: stat?, _ body: (FileHandle) throws -> Void
        ) throws {
            let url = URL(fileURLWithPath: target)
            let draft = url.deletingLastPathComponent()
                .appendingPathComponent(".\(url.lastPathComponent.prefix(100)).\(UUID().uuidString)").path
            let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard file >= 0 else { throw unwritable(path, errno) }
            var isDone = false
            defer { if !isDone { unlink(draft) } }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            if let old {
                // Root's copy stays its owner's; to others that is not allowed.
                _ = fchown(file, old.st_uid, old.st_gid)
                fchmod(file, old.st_mode & 0o7777)
            }
            try writing(path) {
                try body(handle)
                guard fsync(file) == 0 || errno == EINVAL else { throw unwritable(path, errno) }
                try handle.close()
            }
            // What came there meanwhile isn't ours to replace. Not every disk knows a second name.
            if old == nil, link(draft, target) != 0, errno == EEXIST {
                throw Failure("\(path) exists already; name it with -o to overwrite it.")
            }
            guard rename(draft, target) == 0 else { throw unwritable(path, errno) }
            // A rename between two names of one file does nothing.
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
            Failure("\(path) can't be written: \(String(cString: strerror(code)))")
        }
    }
#endif
