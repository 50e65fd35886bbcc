import Foundation
import TapeFormat

/// The folder of one session in the spool, with its lock, which this object holds for its lifetime.
///
/// `lock` is the locked file. Its contents mark the folder as the recorder's. `hello` has the session's identity,
/// `00000.segment` and so on its lines, and `pending` the actions that have no line yet. The recorder never reads,
/// moves or deletes any other file in it.
final class SessionFolder {
    static let marker = Array("STATETAPE SESSION\n".utf8)
    private static let names = ["hello.new", "hello", "pending.new", "pending"]

    let place: URL
    private let lock: OpenFile

    private init(_ place: URL, _ lock: OpenFile) {
        self.place = place
        self.lock = lock
    }

    /// Makes a session's folder. It gets its name only when it is locked, so that no process mistakes it for an
    /// orphaned one.
    static func make(_ place: URL, _ sessionIdentity: LinkState.SessionIdentity) throws -> SessionFolder {
        let new = place.deletingLastPathComponent().appendingPathComponent("new-" + place.lastPathComponent)
        guard mkdir(new.path, 0o700) == 0 else { throw FileFailure(new) }
        let lock = try OpenFile(new.appendingPathComponent("lock"), O_RDWR | O_CREAT | O_EXCL)
        guard try lock.lock() else { throw FileFailure(new, code: EWOULDBLOCK) }
        // The marker follows the lock, because another process takes an unlocked folder with a marker.
        try lock.write(marker)
        try write(sessionIdentity, in: new)
        guard Foundation.rename(new.path, place.path) == 0 else { throw FileFailure(place) }
        return SessionFolder(place, lock)
    }

    /// Takes over the folder of a dead process.
    ///
    /// - Returns: Nil if a living process has it, it is being deleted, or it is not a session folder of the recorder.
    static func take(_ place: URL) throws(FileFailure) -> SessionFolder? {
        var found = stat()
        guard lstat(place.path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR,
            let lock = try? OpenFile(place.appendingPathComponent("lock"), O_RDWR | O_NONBLOCK),
            lock.contents(atMost: marker.count + 1) == marker, try lock.lock()
        else { return nil }
        let folder = SessionFolder(place, lock)
        return folder.isInPlace ? folder : nil
    }

    /// Whether the path still leads to this folder: it may have been deleted, or replaced by another folder or a link.
    var isInPlace: Bool {
        (try? OpenFile(place.appendingPathComponent("lock"), O_RDONLY | O_NONBLOCK)).map { lock.isSame(as: $0) }
            ?? false
    }

    // MARK: Identity

    /// Writes the session's new identity.
    func rename(to sessionIdentity: LinkState.SessionIdentity) throws {
        try Self.write(sessionIdentity, in: place)
    }

    /// The token is never written, since the next launch has its own.
    private static func write(_ sessionIdentity: LinkState.SessionIdentity, in folder: URL) throws {
        let hello = Hello(
            header: sessionIdentity.header, key: sessionIdentity.key, next: 0, fresh: false, recovered: true)
        let file = folder.appendingPathComponent("hello")
        let new = folder.appendingPathComponent("hello.new")
        unlink(new.path)
        try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL).write(AppLine.hello(hello).bytes)
        guard Foundation.rename(new.path, file.path) == 0 else { throw FileFailure(file) }
    }

    /// - Throws: The reason why `hello` can't be used.
    func sessionIdentity(token: String?) throws -> LinkState.SessionIdentity {
        let bytes = try OpenFile.read(place.appendingPathComponent("hello"))
        guard case .hello(let hello) = try AppLine(parsing: bytes) else {
            throw FormatError("hello says something else")
        }
        return LinkState.SessionIdentity(header: hello.header, key: hello.key, token: token)
    }

    // MARK: Files

    var pending: URL { place.appendingPathComponent("pending") }

    func segment(_ number: Int) -> URL {
        let digits = String(number)
        return place.appendingPathComponent(
            String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".segment")
    }

    /// The numbers of the segments, the oldest first.
    var segments: [Int] {
        contents.compactMap { name in
            guard name.hasSuffix(".segment"), let number = Int(name.dropLast(".segment".count)), number >= 0,
                segment(number).lastPathComponent == name
            else { return nil }
            return number
        }.sorted()
    }

    private var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] }

    private var own: [URL] { Self.names.map { place.appendingPathComponent($0) } + segments.map { segment($0) } }

    /// The size of its files, in bytes.
    var size: Int { own.reduce(0) { $0 + Self.size(of: $1) } }

    static func size(of file: URL) -> Int {
        var found = stat()
        return lstat(file.path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG ? Int(found.st_size) : 0
    }

    /// Deletes the recorder's files, and the folder if nothing else is in it.
    ///
    /// - Returns: Whether the folder is gone.
    @discardableResult
    func remove() -> Bool {
        guard isInPlace else { return false }
        let own = Set(own.map(\.lastPathComponent) + ["lock"])
        // A rename comes first, so that no process mistakes the rest for a session. A folder with other files keeps its
        // name.
        let gone = place.deletingLastPathComponent().appendingPathComponent("gone-" + place.lastPathComponent)
        let isWhole = own.isSuperset(of: contents) && Header.isSession(place.lastPathComponent)
        let folder = isWhole && Foundation.rename(place.path, gone.path) == 0 ? gone : place
        // The lock is deleted last, so that a half-deleted folder still has the marker.
        for name in own.sorted(by: { ($0 == "lock" ? 1 : 0, $0) < ($1 == "lock" ? 1 : 0, $1) }) {
            unlink(folder.appendingPathComponent(name).path)
        }
        return rmdir(folder.path) == 0
    }
}
