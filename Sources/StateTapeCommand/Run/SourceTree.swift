#if Server
    import Foundation

    /// The watched files and folders, as they were when it was read. Doesn't follow links, which may lead in circles.
    struct SourceTree {
        private struct File: Equatable {
            let modified: Int
            let size: Int
            let number: UInt64
            /// Of the content, once it was compared.
            var content: Int?

            var second: Int { modified / 1_000_000_000 }

            static func == (left: File, right: File) -> Bool {
                left.modified == right.modified && left.size == right.size && left.number == right.number
            }
        }

        let folders: [SourceFolder]
        private var files: [String: File] = [:]
        /// The folders that exist.
        private(set) var paths: [String] = []
        /// The files of the last change with two versions in one second, and the next second.
        private var sameSecond: [String: Int] = [:]

        init(_ folders: [SourceFolder]) {
            self.folders = folders
            _ = update()
        }

        /// Reads the folders again.
        ///
        /// - Parameter touched: Also returns files that were saved without a change.
        /// - Returns: The files that were changed, added or removed.
        mutating func update(touched: Bool = false) -> [String] {
            let before = files
            (files, paths, sameSecond) = ([:], [], [:])
            for folder in folders { read(folder, folder.url.path, []) }
            var changed = before.keys.filter { files[$0] == nil }
            for (path, file) in files where before[path] != file {
                let content = Self.content(path)
                files[path]?.content = content
                // Programs that generate sources often write the same text again.
                guard touched || content == nil || before[path]?.content != content else { continue }
                changed.append(path)
                // The earlier version may have got a second that is yet to come.
                if let earlier = before[path]?.second, 0...5 ~= earlier - file.second { sameSecond[path] = earlier + 1 }
            }
            for (path, file) in before where files[path] == file { files[path]?.content = file.content }
            return changed.sorted()
        }

        /// Gives files that were saved twice in one second another second: the Swift compiler on Linux compares whole seconds,
        /// and would leave the old version in the app.
        func setTimes() {
            #if os(Linux)
                for (path, second) in sameSecond {
                    let time = timespec(tv_sec: second, tv_nsec: 0)
                    utimensat(AT_FDCWD, path, [time, time], 0)
                }
            #endif
        }

        private mutating func read(_ folder: SourceFolder, _ path: String, _ parts: [String]) {
            guard let directory = opendir(path) else { return }
            defer { closedir(directory) }
            paths.append(path)
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                let (path, parts) = (path + "/" + name, parts + [name])
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    if folder.enters(parts) { read(folder, path, parts) }
                } else if folder.counts(parts), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    #if os(Linux)
                        let time = status.st_mtim
                    #else
                        let time = status.st_mtimespec
                    #endif
                    files[path] = File(
                        modified: time.tv_sec * 1_000_000_000 + time.tv_nsec, size: Int(status.st_size),
                        number: UInt64(status.st_ino))
                }
            }
        }

        private static func content(_ path: String) -> Int? {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
            var hasher = Hasher()
            // The hash of `Data` itself covers only its beginning.
            data.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }
#endif
