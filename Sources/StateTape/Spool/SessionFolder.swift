import Foundation
import TapeFormat

/// The folder of one session in the spool, and its lock, which is held for as long as this lives.
///
/// `lock` is the locked file; `hello` says whose session it is; `00000.segment` and so on hold its lines, and `pending`
/// the actions that have none yet.
final class SessionFolder {
    let place: URL
    private let lock: OpenFile

    private init(_ place: URL, _ lock: OpenFile) {
        self.place = place
        self.lock = lock
    }

    /// Makes a session's folder. It has its name only once it is locked, so that nobody takes it for a left one.
    static func make(_ place: URL, _ speaker: LinkState.Speaker) throws -> SessionFolder {
        let new = place.deletingLastPathComponent().appendingPathComponent("new-" + place.lastPathComponent)
        try FileManager.default.createDirectory(
            at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try OpenFile(new.appendingPathComponent("lock"), O_RDWR | O_CREAT)
        guard try lock.lock() else { throw FileFailure(new, code: EWOULDBLOCK) }
        try write(speaker, in: new)
        guard Foundation.rename(new.path, place.path) == 0 else { throw FileFailure(place) }
        return SessionFolder(place, lock)
    }

    /// Takes the folder of a process that is gone.
    ///
    /// - Returns: Nil if a living process has it, or it is being deleted.
    static func take(_ place: URL) throws(FileFailure) -> SessionFolder? {
        let lock = try OpenFile(place.appendingPathComponent("lock"), O_RDWR)
        guard try lock.lock() else { return nil }
        let folder = SessionFolder(place, lock)
        return folder.isInPlace ? folder : nil
    }

    private var isInPlace: Bool {
        (try? OpenFile(place.appendingPathComponent("lock"), O_RDONLY)).map { lock.isSame(as: $0) } ?? false
    }

    // MARK: Whose it is

    /// Says anew whose session it is.
    func rename(to speaker: LinkState.Speaker) throws {
        try Self.write(speaker, in: place)
    }

    /// A token is never written: the next launch has its own.
    private static func write(_ speaker: LinkState.Speaker, in folder: URL) throws {
        let hello = Hello(header: speaker.header, key: speaker.key, next: 0, fresh: false, recovered: true)
        let file = folder.appendingPathComponent("hello")
        let new = folder.appendingPathComponent("hello.new")
        try? FileManager.default.removeItem(at: new)
        try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL).write(AppLine.hello(hello).bytes)
        guard Foundation.rename(new.path, file.path) == 0 else { throw FileFailure(file) }
    }

    /// - Throws: What is wrong with `hello`.
    func speaker(token: String?) throws -> LinkState.Speaker {
        let bytes = try Data(contentsOf: place.appendingPathComponent("hello"))
        guard case .hello(let hello) = try AppLine(parsing: Array(bytes)) else {
            throw FormatError("hello says something else")
        }
        return LinkState.Speaker(header: hello.header, key: hello.key, token: token)
    }

    // MARK: Its files

    var pending: URL { place.appendingPathComponent("pending") }

    func segment(_ number: Int) -> URL {
        let digits = String(number)
        return place.appendingPathComponent(
            String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".segment")
    }

    /// The numbers of the segments, the oldest first.
    var segments: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.compactMap { name in
            name.hasSuffix(".segment") ? Int(name.dropLast(".segment".count)) : nil
        }.sorted()
    }

    /// What is in it and is none of its files.
    var foreign: [URL] {
        let own = Set(
            ["lock", "hello", "hello.new", "pending", "pending.new"] + segments.map { segment($0).lastPathComponent })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.filter { !own.contains($0) }.sorted().map { place.appendingPathComponent($0) }
    }

    /// What its files take, in bytes.
    var size: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.reduce(0) { $0 + Self.size(of: place.appendingPathComponent($1)) }
    }

    static func size(of file: URL) -> Int {
        var found = stat()
        return stat(file.path, &found) == 0 ? Int(found.st_size) : 0
    }

    /// Deletes it. It loses its name first: nobody takes a part of it for a session.
    func remove() {
        let gone = place.deletingLastPathComponent().appendingPathComponent("gone-" + place.lastPathComponent)
        guard Foundation.rename(place.path, gone.path) == 0 else { return }
        try? FileManager.default.removeItem(at: gone)
    }
}
