package import Foundation
import TapeFormat

/// The app's folder for sessions that the server doesn't have yet, with a folder for each.
///
/// The recorder touches only session folders with its marker. It leaves all other items alone.
package struct SpoolFolder: Sendable {
    /// How long a session waits for its server, and a damaged item in `set-aside` for a person.
    static let maxAge = 30 * 86_400

    let place: URL
    let log: @Sendable (String) -> Void

    package init(place: URL, log: @escaping @Sendable (String) -> Void) {
        (self.place, self.log) = (place, log)
    }

    /// Makes the folder of a running session.
    ///
    /// - Parameter name: The folder's name, the session's id by default.
    package func make(_ sessionIdentity: LinkState.SessionIdentity, name: String? = nil) throws -> SessionFolder {
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = name ?? sessionIdentity.header.session
        return try SessionFolder.make(place.appendingPathComponent(name), sessionIdentity)
    }

    /// Takes over the oldest orphaned session that a server gets; nil without one.
    ///
    /// - Parameter known: Names of sessions to skip.
    func left(except known: Set<String>, for server: SessionServer) -> SessionFolder? {
        for name in names where !known.contains(name) {
            // A session that nobody can read is for no server.
            if let folder = take(name), folder.identity.map({ server.takes($0.server) }) ?? true { return folder }
        }
        return nil
    }

    /// The orphaned sessions for other servers: how many each of these servers gets.
    func waiting(except known: Set<String>, besides server: SessionServer) -> [(server: String, count: Int)] {
        var counts: [String: Int] = [:]
        for name in names where !known.contains(name) {
            guard let identity = take(name)?.identity, !server.takes(identity.server) else { continue }
            counts[identity.server.name, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Frees space of orphaned sessions: unfinished and half-deleted folders, sessions that have waited too long, and
    /// empty places of pending actions. If the sessions together take more than `limit` bytes, it drops the oldest
    /// segments. The newest segment stays: one state may be larger than the limit.
    ///
    /// - Parameter now: In seconds since 1970.
    package func tidy(limit: Int, now: Int = Int(Date().timeIntervalSince1970)) {
        sweep()
        SetAside(folder: setAside, log: log).tidy(limit: limit, now: now)
        var room = limit
        for name in names.reversed() {
            guard let folder = take(name, isLogging: true) else { continue }
            guard now - folder.lastWrite <= Self.maxAge else {
                let server = folder.identity?.server.name ?? "its server"
                folder.remove()
                log("Session \(name) was deleted: it has waited more than 30 days for \(server).")
                continue
            }
            OrphanedTape.compact(folder)
            let size = folder.size
            let isNewest = room == limit
            room -= size > room ? OrphanedTape.shrink(folder, to: room, keepsLast: isNewest, log: log) : size
        }
    }

    private var told: URL { place.appendingPathComponent("told") }

    /// Logs a message, unless an earlier launch has logged it for the same server: `statetape run` launches the app at
    /// each save.
    func logNew(_ message: String, for server: SessionServer) {
        let text = Data("\(server.name)\n\(server.archive ?? "")\n\(message)\n".utf8)
        var found = stat()
        let isFile = lstat(told.path, &found) != 0 || found.st_mode & S_IFMT == S_IFREG
        if isFile, (try? Data(contentsOf: told)) == text { return }
        if isFile { try? text.write(to: told) }
        log(message)
    }

    /// Forgets what was logged: it is news when it comes again.
    func forgetTold() { unlink(told.path) }

    private var setAside: URL { place.appendingPathComponent("set-aside") }

    /// Moves an unreadable item aside and logs a message.
    func setAside(_ item: URL, as name: String? = nil, because reason: String) {
        mkdir(setAside.path, 0o700)
        let name = name ?? item.lastPathComponent
        var target = setAside.appendingPathComponent(name)
        var (number, found) = (2, stat())
        // A dangling link takes the name too.
        while lstat(target.path, &found) == 0 {
            target = setAside.appendingPathComponent("\(name)-\(number)")
            number += 1
        }
        guard rename(item.path, target.path) == 0 else {
            return log("\(item.path) can't be used (\(reason)) and can't be moved: \(FileFailure(target))")
        }
        log("\(item.path) can't be used (\(reason)); it is kept for 30 days as \(target.path).")
    }

    /// The items with names of sessions, in the order of their launches.
    private var names: [String] { contents.filter(Header.isSession) }

    private var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
    }

    /// - Parameter isLogging: Whether a failure is logged. Each launch tries several times, and tells once.
    private func take(_ name: String, isLogging: Bool = false) -> SessionFolder? {
        do throws(FileFailure) {
            return try SessionFolder.take(place.appendingPathComponent(name)) { item, reason in
                setAside(item, as: "\(name)-\(item.lastPathComponent)", because: reason)
            }
        } catch {
            if isLogging { log("An earlier session can't be read: \(error)") }
            return nil
        }
    }

    /// Deletes folders of processes that died while making or deleting them.
    private func sweep() {
        for name in contents {
            guard let prefix = ["new-", "gone-"].first(where: name.hasPrefix) else { continue }
            let (session, item) = (String(name.dropFirst(prefix.count)), place.appendingPathComponent(name))
            guard Header.isSession(session) else { continue }
            guard let folder = try? SessionFolder.take(item) else {
                // Its files are deleted, the lock last; an empty folder is left of it.
                if prefix == "gone-" { rmdir(item.path) }
                continue
            }
            // The new name may not have reached the disk before the power failed, unlike later files.
            if prefix == "new-", !folder.segments.isEmpty,
                rename(item.path, place.appendingPathComponent(session).path) == 0
            {
                continue
            }
            folder.remove()
        }
    }
}
