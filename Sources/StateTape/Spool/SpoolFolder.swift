import Foundation
import TapeFormat

/// Where an app keeps the sessions that the server doesn't have yet, a folder for each.
///
/// Only session folders that bear the recorder's marker are touched; whatever else lies there is somebody's.
struct SpoolFolder: Sendable {
    let place: URL
    let log: @Sendable (String) -> Void

    /// A living session's folder.
    func make(_ sessionIdentity: LinkState.SessionIdentity) throws -> SessionFolder {
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SessionFolder.make(place.appendingPathComponent(sessionIdentity.header.session), sessionIdentity)
    }

    /// The oldest session that a process has left, taken; nil if there is none.
    ///
    /// - Parameter known: Names of those that are not asked for.
    func left(except known: Set<String>) -> SessionFolder? {
        for name in names where !known.contains(name) {
            if let folder = take(name) { return folder }
        }
        return nil
    }

    /// Frees what is not needed of the sessions that were left: what was begun or half deleted, the empty places of
    /// pending actions, and the oldest segments where all together take more than `limit` bytes.
    func tidy(limit: Int) {
        sweep()
        var room = limit
        for name in names.reversed() {
            guard let folder = take(name) else { continue }
            OrphanedTape.compact(folder)
            let size = folder.size
            room -= size > room ? OrphanedTape.shrink(folder, to: room, log: log) : size
        }
    }

    /// Moves something aside that can't be read, with a message.
    func setAside(_ item: URL, as name: String? = nil, because reason: String) {
        let aside = place.appendingPathComponent("set-aside")
        mkdir(aside.path, 0o700)
        let name = name ?? item.lastPathComponent
        var target = aside.appendingPathComponent(name)
        var (number, found) = (2, stat())
        // A link that leads nowhere is there as well.
        while lstat(target.path, &found) == 0 {
            target = aside.appendingPathComponent("\(name)-\(number)")
            number += 1
        }
        guard rename(item.path, target.path) == 0 else {
            return log("\(item.path) can't be used (\(reason)) and can't be moved: \(FileFailure(target))")
        }
        log("\(item.path) can't be used (\(reason)); it is kept as \(target.path).")
    }

    /// The names that sessions may have, in the order of their launches.
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

    /// Deletes what processes left that died while they made or deleted a folder.
    private func sweep() {
        for name in contents {
            guard let prefix = ["new-", "gone-"].first(where: name.hasPrefix),
                Header.isSession(String(name.dropFirst(prefix.count)))
            else { continue }
            if let folder = try? SessionFolder.take(place.appendingPathComponent(name)) { folder.remove() }
        }
    }
}
