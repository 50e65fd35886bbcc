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
        /// The files of the last change with two versions in one second.
        private var sameSecond: [String] = []

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
            (files, paths, sameSecond) = ([:], [], [])
            for folder in folders { read(folder, folder.url.path, []) }
            var changed = before.keys.filter { files[$0] == nil }
            for (path, file) in files where before[path] != file {
                let content = Self.content(path)
                files[path]?.content = content
                // Programs that generate sources often write the same text again.
                guard touched || content == nil || before[path]?.content != content else { continue }
                changed.append(path)
                if before[path]?.second == file.second { sameSecond.append(path) }
            }
            for (path, file) in before where files[path] == file { files[path]?.content = file.content }
            return changed.sorted()
        }

        /// Sets the time of files that were saved twice in one second: the Swift compiler on Linux compares whole seconds,
        /// and would leave the old version in the app. Waits for the end of the second.
        func setTimes() {
            #if os(Linux)
                guard let last = sameSecond.compactMap({ files[$0]?.second }).max() else { return }
                let end = Date(timeIntervalSince1970: Double(last + 1))
                // A time in the future was set by somebody; a second is enough to tell two saves apart.
                if case let rest = end.timeIntervalSinceNow, rest > 0 { Thread.sleep(forTimeInterval: min(rest, 1)) }
                for path in sameSecond { utimensat(AT_FDCWD, path, nil, 0) }
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
