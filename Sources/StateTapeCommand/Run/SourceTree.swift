import Foundation

/// The watched files and folders, as they were when it was read. Doesn't follow links to folders, which may lead
/// in circles.
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

    /// The files and folders that are watched, at most: some systems watch no more folders, and each save reads all.
    static let limit = 200_000
    /// The content of longer files isn't compared, in bytes.
    private static let maxCompared = 64 << 20

    let folders: [SourceFolder]
    private let limit: Int
    private var files: [String: File] = [:]
    /// The folders that exist.
    private(set) var paths: [String] = []
    /// The folders elsewhere in which links to files lead to others when they change.
    private(set) var linked: Set<String> = []
    /// The files that the last update found saved without a change.
    private(set) var touched: [String] = []
    /// The files of the last change with two versions in one second, and the next second.
    private var sameSecond: [String: Int] = [:]

    /// - Throws: `Failure` if there are too many files and folders.
    init(_ folders: [SourceFolder], limit: Int = Self.limit) throws {
        self.folders = folders
        self.limit = limit
        _ = try update()
    }

    var watched: [String] { paths + linked }

    /// Reads the folders again.
    ///
    /// - Parameter touched: Also returns files that were saved without a change.
    /// - Returns: The files that were changed, added or removed.
    /// - Throws: `Failure` if there are too many. Then it stays as it was.
    mutating func update(touched: Bool = false) throws -> [String] {
        let old = self
        let before = files
        (files, paths, linked, sameSecond) = ([:], [], [], [:])
        do {
            for folder in folders { try read(folder, folder.url.path, [], device: nil) }
        } catch {
            self = old
            throw error
        }
        var changed = before.keys.filter { files[$0] == nil }
        self.touched = []
        for (path, file) in files where before[path] != file {
            let content = file.size > Self.maxCompared ? nil : Self.content(path)
            files[path]?.content = content
            // Programs that generate sources often write the same text again.
            guard touched || content == nil || before[path]?.content != content else {
                self.touched.append(path)
                continue
            }
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

    /// - Parameter device: That of the folder around this one.
    private mutating func read(_ folder: SourceFolder, _ path: String, _ parts: [String], device: dev_t?) throws {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        var info = stat()
        guard fstat(dirfd(directory), &info) == 0 else { return }
        if info.st_dev != device, KernelFiles.contain(path) { return }
        paths.append(path)
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let (parent, path, parts) = (path, path + "/" + name, parts + [name])
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if folder.enters(parts) { try read(folder, path, parts, device: info.st_dev) }
            } else if folder.counts(parts) {
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                let exists = stat(path, &status) == 0
                if exists, status.st_mode & S_IFMT == S_IFDIR || KernelFiles.contain(path) && isLink { continue }
                if isLink { linked.formUnion(LinkPlaces(path).folders) }
                guard exists, status.st_mode & S_IFMT == S_IFREG else { continue }
                #if os(Linux)
                    let time = status.st_mtim
                #else
                    let time = status.st_mtimespec
                #endif
                files[path] = File(
                    modified: time.tv_sec * 1_000_000_000 + time.tv_nsec, size: Int(status.st_size),
                    number: UInt64(status.st_ino))
            }
            guard paths.count + files.count <= limit else {
                throw Failure(
                    "\(folder.url.path) has more than \(limit) files and folders to watch, such as those in"
                        + " \(parent). Name the folders of the sources with --watch.")
            }
        }
    }

    private static func content(_ path: String) -> Int? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        var hasher = Hasher()
        do {
            // The hash of `Data` itself covers only its beginning.
            while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
                data.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
        } catch {
            return nil
        }
        return hasher.finalize()
    }
}
