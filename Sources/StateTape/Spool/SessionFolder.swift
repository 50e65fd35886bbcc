import Foundation
import TapeFormat

/// The folder of one session in the spool, and its lock, which is held for as long as this lives.
///
/// `lock` is the locked file, and its contents are the marker that tells the recorder's folders from any other; `hello`
/// says whose session it is; `00000.segment` and so on hold its lines, and `pending` the actions that have none yet.
/// Nothing else in it is ever read, moved or deleted.
final class SessionFolder {
    static let marker = Array("STATETAPE SESSION\n".utf8)
    private static let names = ["hello.new", "hello", "pending.new", "pending"]

    let place: URL
    private let lock: OpenFile

    private init(_ place: URL, _ lock: OpenFile) {
        self.place = place
        self.lock = lock
    }

    /// Makes a session's folder. It has its name only once it is locked, so that nobody takes it for a left one.
    static func make(_ place: URL, _ sessionIdentity: LinkState.SessionIdentity) throws -> SessionFolder {
        let new = place.deletingLastPathComponent().appendingPathComponent("new-" + place.lastPathComponent)
        guard mkdir(new.path, 0o700) == 0 else { throw FileFailure(new) }
        let lock = try OpenFile(new.appendingPathComponent("lock"), O_RDWR | O_CREAT | O_EXCL)
        guard try lock.lock() else { throw FileFailure(new, code: EWOULDBLOCK) }
        // Only once it is locked: another process takes a folder that bears the marker.
        try lock.write(marker)
        try write(sessionIdentity, in: new)
        guard Foundation.rename(new.path, place.path) == 0 else { throw FileFailure(place) }
        return SessionFolder(place, lock)
    }

    /// Takes the folder of a process that is gone.
    ///
    /// - Returns: Nil if a living process has it, it is being deleted, or it is no session folder of the recorder.
    static func take(_ place: URL) throws(FileFailure) -> SessionFolder? {
        var found = stat()
        guard lstat(place.path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR,
            let lock = try? OpenFile(place.appendingPathComponent("lock"), O_RDWR | O_NONBLOCK),
            lock.contents(atMost: marker.count + 1) == marker, try lock.lock()
        else { return nil }
        let folder = SessionFolder(place, lock)
        return folder.isInPlace ? folder : nil
    }

    /// Whether its path still leads to it: somebody may have deleted it, or put another folder or a link there.
    var isInPlace: Bool {
        (try? OpenFile(place.appendingPathComponent("lock"), O_RDONLY | O_NONBLOCK)).map { lock.isSame(as: $0) }
            ?? false
    }

    // MARK: Whose it is

    /// Says anew whose session it is.
    func rename(to sessionIdentity: LinkState.SessionIdentity) throws {
        try Self.write(sessionIdentity, in: place)
    }

    /// A token is never written: the next launch has its own.
    private static func write(_ sessionIdentity: LinkState.SessionIdentity, in folder: URL) throws {
        let hello = Hello(
            header: sessionIdentity.header, key: sessionIdentity.key, next: 0, fresh: false, recovered: true)
        let file = folder.appendingPathComponent("hello")
        let new = folder.appendingPathComponent("hello.new")
        unlink(new.path)
        try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL).write(AppLine.hello(hello).bytes)
        guard Foundation.rename(new.path, file.path) == 0 else { throw FileFailure(file) }
    }

    /// - Throws: What is wrong with `hello`.
    func sessionIdentity(token: String?) throws -> LinkState.SessionIdentity {
        let bytes = try OpenFile.read(place.appendingPathComponent("hello"))
        guard case .hello(let hello) = try AppLine(parsing: bytes) else {
            throw FormatError("hello says something else")
        }
        return LinkState.SessionIdentity(header: hello.header, key: hello.key, token: token)
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
        contents.compactMap { name in
            guard name.hasSuffix(".segment"), let number = Int(name.dropLast(".segment".count)), number >= 0,
                segment(number).lastPathComponent == name
            else { return nil }
            return number
        }.sorted()
    }

    private var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] }

    private var own: [URL] { Self.names.map { place.appendingPathComponent($0) } + segments.map { segment($0) } }

    /// What its files take, in bytes.
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
        // It loses its name first: no process takes a part of it for a session. One that holds somebody's files keeps it.
        let gone = place.deletingLastPathComponent().appendingPathComponent("gone-" + place.lastPathComponent)
        let isWhole = own.isSuperset(of: contents) && Header.isSession(place.lastPathComponent)
        let folder = isWhole && Foundation.rename(place.path, gone.path) == 0 ? gone : place
        // The lock is last: a folder that is half deleted still bears the marker.
        for name in own.sorted(by: { ($0 == "lock" ? 1 : 0, $0) < ($1 == "lock" ? 1 : 0, $1) }) {
            unlink(folder.appendingPathComponent(name).path)
        }
        return rmdir(folder.path) == 0
    }
}
