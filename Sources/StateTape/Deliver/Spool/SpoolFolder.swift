import Foundation
import TapeFormat

/// The app's folder for sessions that the server doesn't have yet, with a folder for each.
///
/// The recorder touches only session folders with its marker. It leaves all other items alone.
struct SpoolFolder: Sendable {
    let place: URL
    let log: @Sendable (String) -> Void

    /// Makes the folder of a running session.
    func make(_ sessionIdentity: LinkState.SessionIdentity) throws -> SessionFolder {
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SessionFolder.make(place.appendingPathComponent(sessionIdentity.header.session), sessionIdentity)
    }

    /// Takes over the oldest orphaned session; nil without one.
    ///
    /// - Parameter known: Names of sessions to skip.
    func left(except known: Set<String>) -> SessionFolder? {
        for name in names where !known.contains(name) {
            if let folder = take(name) { return folder }
        }
        return nil
    }

    /// Frees space of orphaned sessions: unfinished and half-deleted folders, and empty places of pending actions. If
    /// the sessions together take more than `limit` bytes, it drops the oldest segments. The newest segment stays: one
    /// state may be larger than the limit.
    func tidy(limit: Int) {
        sweep()
        var room = limit
        for name in names.reversed() {
            guard let folder = take(name) else { continue }
            OrphanedTape.compact(folder)
            let size = folder.size
            let isNewest = room == limit
            room -= size > room ? OrphanedTape.shrink(folder, to: room, keepsLast: isNewest, log: log) : size
        }
    }

    /// Moves an unreadable item aside and logs a message.
    func setAside(_ item: URL, as name: String? = nil, because reason: String) {
        let aside = place.appendingPathComponent("set-aside")
        mkdir(aside.path, 0o700)
        let name = name ?? item.lastPathComponent
        var target = aside.appendingPathComponent(name)
        var (number, found) = (2, stat())
        // A dangling link takes the name too.
        while lstat(target.path, &found) == 0 {
            target = aside.appendingPathComponent("\(name)-\(number)")
            number += 1
        }
        guard rename(item.path, target.path) == 0 else {
            return log("\(item.path) can't be used (\(reason)) and can't be moved: \(FileFailure(target))")
        }
        log("\(item.path) can't be used (\(reason)); it is kept as \(target.path).")
    }

    /// The items with names of sessions, in the order of their launches.
    private var names: [String] { contents.filter(Header.isSession) }

    private var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
    }

    private func take(_ name: String) -> SessionFolder? {
        do throws(FileFailure) {
            return try SessionFolder.take(place.appendingPathComponent(name))
        } catch {
            log("An earlier session can't be read: \(error)")
            return nil
        }
    }

    /// Deletes folders of processes that died while making or deleting them.
    private func sweep() {
        for name in contents {
            guard let prefix = ["new-", "gone-"].first(where: name.hasPrefix),
                Header.isSession(String(name.dropFirst(prefix.count)))
            else { continue }
            if let folder = try? SessionFolder.take(place.appendingPathComponent(name)) { folder.remove() }
        }
    }
}
