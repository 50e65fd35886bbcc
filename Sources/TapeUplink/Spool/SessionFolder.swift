import Dispatch
package import Foundation
import TapeFormat

/// The folder of one session in the spool, with its lock, which this object holds for its lifetime.
///
/// `lock` is the locked file; the folder is locked too, in case `lock` gets lost. `lock` and `hello` both have the
/// session's identity, since a power failure may empty one of them. `00000.segment` and so on have its lines, and
/// `pending` the actions that have no line yet. The recorder never reads, moves or deletes any other file in it.
package final class SessionFolder {
    static let marker = SpoolIdentity.marker
    static let names = ["hello.new", "hello", "pending.new", "pending"]

    let place: URL
    /// Nil if neither file has it.
    private(set) var identity: SpoolIdentity?
    private let lock: OpenFile
    /// The locked folder; nil on a file system that can't lock folders.
    private let guardian: OpenFile?

    private init(_ place: URL, _ identity: SpoolIdentity?, _ lock: OpenFile, _ guardian: OpenFile?) {
        self.place = place
        self.identity = identity
        self.lock = lock
        self.guardian = guardian
    }

    /// Makes a session's folder. It gets its name only when it is locked, so that no process mistakes it for an
    /// orphaned one.
    static func make(_ place: URL, _ sessionIdentity: LinkState.SessionIdentity) throws -> SessionFolder {
        let new = place.deletingLastPathComponent().appendingPathComponent("new-" + place.lastPathComponent)
        guard mkdir(new.path, 0o700) == 0 else { throw FileFailure(new) }
        let guardian = try OpenFile(new, O_RDONLY | O_DIRECTORY)
        let canLock = (try? guardian.lock()) ?? false
        let lock = try OpenFile(new.appendingPathComponent("lock"), O_RDWR | O_CREAT | O_EXCL)
        guard try lock.lock() else { throw FileFailure(new, code: EWOULDBLOCK) }
        // The marker follows the lock, because another process takes an unlocked folder with a marker.
        let identity = SpoolIdentity(sessionIdentity)
        try lock.write(identity.lockBytes)
        try write(identity, in: new)
        guard Foundation.rename(new.path, place.path) == 0 else { throw FileFailure(place) }
        return SessionFolder(place, identity, lock, canLock ? guardian : nil)
    }

    /// Takes over the folder of a dead process, and mends its marker if that is damaged.
    ///
    /// - Parameter setAside: Moves a damaged item out of the folder.
    /// - Returns: Nil if a living process has it, it is being deleted, or it is not a session folder of the recorder.
    static func take(
        _ place: URL, setAside: (_ item: URL, _ reason: String) -> Void = { _, _ in }
    ) throws(FileFailure) -> SessionFolder? {
        var found = stat()
        guard lstat(place.path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else { return nil }
        let guardian = try OpenFile(place, O_RDONLY | O_DIRECTORY)
        // A file system that can't lock folders has an error here.
        let isLocked = try? guardian.lock()
        if isLocked == false { return nil }
        let file = place.appendingPathComponent("lock")
        // Not a pipe, a folder or a link.
        let lock = (try? OpenFile(file, O_RDWR | O_NONBLOCK)).flatMap { $0.isRegular ? $0 : nil }
        if let lock, try !lock.lock() { return nil }
        let bytes = lock?.contents(atMost: SpoolIdentity.maxBytes) ?? []
        let hello = try? OpenFile.read(place.appendingPathComponent("hello"))
        var known = hello.flatMap { SpoolIdentity(hello: $0) }
        // A file that is cut after its first line looks like one of an older version.
        if known?.server == SessionServer(), let other = SpoolIdentity(lock: bytes) { known = other }
        let isMarked = bytes.starts(with: marker)
        // Without its marker, a valid hello shows that the folder is the recorder's, or a segment beside an emptied file; a
        // record in one shows it beside any file.
        guard isMarked || known != nil || hasSegment(place, withRecord: !SpoolIdentity.isBlank(bytes)) else {
            return nil
        }
        let identity = known ?? SpoolIdentity(lock: bytes)
        let own: OpenFile
        if let lock {
            own = lock
        } else {
            if lstat(file.path, &found) == 0 { setAside(file, "it can't be read or written") }
            own = try OpenFile(file, O_RDWR | O_CREAT | O_EXCL)
            guard try own.lock() else { return nil }
        }
        let folder = SessionFolder(place, identity, own, isLocked == nil ? nil : guardian)
        guard folder.isInPlace else { return nil }
        if let identity { folder.mend(identity, isMarked: isMarked, hasHello: known != nil, setAside) }
        return folder
    }

    /// Whether a folder has a file that begins as a segment does.
    ///
    /// - Parameter withRecord: Whether it must also have a whole record, which no other file has.
    private static func hasSegment(_ place: URL, withRecord: Bool) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.contains { name in
            guard name.hasSuffix(".segment"), Int(name.dropLast(".segment".count)) != nil,
                let file = try? OpenFile(place.appendingPathComponent(name), O_RDONLY | O_NONBLOCK)
            else { return false }
            guard file.contents(atMost: Segment.signature.count) == Segment.signature else { return false }
            guard withRecord else { return true }
            let bytes = try? OpenFile.read(place.appendingPathComponent(name))
            return bytes?.withUnsafeBytes { SpoolRecord.next(in: $0, from: Segment.signature.count) != nil } ?? false
        }
    }

    /// Whether the path still leads to this folder: it may have been deleted, or replaced by another folder or a link.
    var isInPlace: Bool {
        (try? OpenFile(place.appendingPathComponent("lock"), O_RDONLY | O_NONBLOCK)).map { lock.isSame(as: $0) }
            ?? false
    }

    // MARK: Identity

    /// Writes the session's new identity, if it differs.
    func identify(as sessionIdentity: LinkState.SessionIdentity) throws {
        let new = SpoolIdentity(sessionIdentity)
        guard new != identity else { return }
        try Self.write(new, in: place)
        try lock.replace(by: new.lockBytes)
        identity = new
        sync()
    }

    private static func write(_ identity: SpoolIdentity, in folder: URL) throws(FileFailure) {
        let file = folder.appendingPathComponent("hello")
        let new = folder.appendingPathComponent("hello.new")
        unlink(new.path)
        try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL).write(identity.bytes)
        guard Foundation.rename(new.path, file.path) == 0 else { throw FileFailure(file) }
    }

    /// Writes what one of the two files lacks of the identity. It is nothing but a copy, so failures don't matter.
    private func mend(
        _ identity: SpoolIdentity, isMarked: Bool, hasHello: Bool, _ setAside: (_ item: URL, _ reason: String) -> Void
    ) {
        if !isMarked { try? lock.replace(by: identity.lockBytes) }
        guard !hasHello else { return }
        let file = place.appendingPathComponent("hello")
        var found = stat()
        if lstat(file.path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR { setAside(file, "it is a folder") }
        try? Self.write(identity, in: place)
    }

    /// - Throws: The reason why the session can't be delivered.
    func sessionIdentity(token: String?) throws(FileFailure) -> LinkState.SessionIdentity {
        guard let identity else { throw FileFailure(place, "its files hello and lock can't be read") }
        return LinkState.SessionIdentity(
            header: identity.header, key: identity.key, token: token, server: identity.server)
    }

    /// Has the system write the folder's name, marker and identity to the disk, in the background: the files may be newer
    /// by then, and the folder may be gone.
    func sync() {
        let folder = place
        DispatchQueue.global(qos: .utility).async {
            for file in ["lock", "hello"].map(folder.appendingPathComponent) + [
                folder, folder.deletingLastPathComponent(),
            ] {
                // Not the file that holds the lock, which would last longer.
                if let file = try? OpenFile(file, O_RDONLY | O_NONBLOCK) { fsync(file.descriptor) }
            }
        }
    }

    // MARK: Files

    package var pending: URL { place.appendingPathComponent("pending") }

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

    /// When the session was last written to, in seconds since 1970.
    var lastWrite: Int {
        own.reduce(0) { latest, file in
            var found = stat()
            return lstat(file.path, &found) == 0 ? max(latest, found.lastWrite) : latest
        }
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

extension stat {
    /// In seconds since 1970.
    var lastWrite: Int {
        #if canImport(Darwin)
            Int(st_mtimespec.tv_sec)
        #else
            Int(st_mtim.tv_sec)
        #endif
    }

    /// When contents, name or rights last changed, in seconds since 1970.
    var lastChange: Int {
        #if canImport(Darwin)
            Int(st_ctimespec.tv_sec)
        #else
            Int(st_ctim.tv_sec)
        #endif
    }
}
