import Foundation

/// The files of a package that a search for a store reads.
struct PackageSources {
    let manifest: SwiftSource
    private(set) var files: [SwiftSource] = []
    /// Files that can't be read as UTF-8.
    private(set) var unread: [String] = []
    private let folder: URL

    /// - Throws: `Failure` if the folder has no manifest, or one that can't be read.
    init(_ path: String) throws {
        folder = URL(named: path, isDirectory: true).resolvingSymlinksInPath()
        let url = folder.appendingPathComponent("Package.swift")
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw Failure(
                "\(folder.path) has no Package.swift. In Xcode, add the package in the project's settings, and add these"
                    + " lines by hand.")
        }
        guard let manifest = SwiftSource(path: "Package.swift", bytes: [UInt8](try Self.data(url))) else {
            throw Failure("\(url.path) is not UTF-8.")
        }
        self.manifest = manifest
    }

    /// Reads the Swift files of targets, each once, whatever links lead to them.
    mutating func read(_ folders: [String]) throws {
        var seen = Set<String>()
        for name in folders.sorted() {
            let root = folder.appendingPathComponent(name)
            let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
            let all = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
            let urls = (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            for url in urls.sorted(by: { $0.path < $1.path }) {
                let real = url.resolvingSymlinksInPath()
                guard seen.insert(real.path).inserted, FileManager.default.fileExists(atPath: real.path) else {
                    continue
                }
                // The path by which the manifest's targets know it.
                let path = name + String(url.path.dropFirst(root.path.count))
                if let data = try? Self.data(real), var source = SwiftSource(path: path, bytes: [UInt8](data)) {
                    source.target = name
                    files.append(source)
                } else {
                    unread.append(path)
                }
            }
        }
    }

    private static func data(_ url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw Failure("\(url.path) can't be read: \(error.reason)")
        }
    }

    /// The stores; where none is known, classes without a struct for their state, structs that may be a store, or the
    /// reducers.
    func stores() -> [FoundStore] {
        let searches: [(SwiftSource) -> [FoundStore]] = [
            { StoreCalls($0, in: files).stores() + ModelClasses($0, in: files).stores() },
            { ModelClasses($0, in: files).propertyModels() }, { ModelClasses($0, in: files).structs() },
            { $0.reducers() },
        ]
        return searches.lazy.map { files.flatMap($0) }.first { !$0.isEmpty } ?? []
    }

    /// Where a file's bytes are: behind its links.
    ///
    /// - Throws: `Failure` if it must not be changed: it is read-only, or belongs to something else.
    func writable(_ path: String) throws -> URL {
        let url = folder.appendingPathComponent(path).resolvingSymlinksInPath()
        guard url.path.hasPrefix(folder.path + "/") else {
            throw Failure("\(path) is a link to \(url.path), outside of the package. Nothing was changed.")
        }
        var info = stat()
        guard stat(url.path, &info) == 0, info.st_mode & 0o222 != 0, access(url.path, W_OK) == 0,
            access(url.deletingLastPathComponent().path, W_OK) == 0
        else { throw Failure("\(path) is read-only. Nothing was changed; make it writable, and try again.") }
        return url
    }
}
