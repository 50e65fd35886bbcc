import Foundation
import TapeFormat

/// Where an app keeps the sessions that the server doesn't have yet, a folder for each.
struct SpoolFolder: Sendable {
    let place: URL
    let log: @Sendable (String) -> Void

    /// A living session's folder.
    func make(_ speaker: LinkState.Speaker) throws -> SessionFolder {
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SessionFolder.make(place.appendingPathComponent(speaker.header.session), speaker)
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
            LeftTape.compact(folder)
            let size = folder.size
            room -= size > room ? LeftTape.shrink(folder, to: room, log: log) : size
        }
    }

    /// Moves something aside that can't be read, with a message.
    func setAside(_ item: URL, as name: String? = nil, because reason: String) {
        let aside = place.appendingPathComponent("set-aside")
        try? FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
        let name = name ?? item.lastPathComponent
        var target = aside.appendingPathComponent(name)
        var number = 2
        while FileManager.default.fileExists(atPath: target.path) {
            target = aside.appendingPathComponent("\(name)-\(number)")
            number += 1
        }
        guard rename(item.path, target.path) == 0 else {
            return log("\(item.path) can't be used (\(reason)), and not be moved either: \(FileFailure(target))")
        }
        log("\(item.path) can't be used (\(reason)); it is kept as \(target.path).")
    }

    /// The sessions by name, which is by the time of their launch. What is none is set aside.
    private var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return all.sorted().filter { name in
            let isOurs = name == "set-aside" || name.hasPrefix(".") || name.hasPrefix("new-") || name.hasPrefix("gone-")
            guard !isOurs else { return false }
            var isFolder = stat()
            let item = place.appendingPathComponent(name)
            guard Header.isSession(name), lstat(item.path, &isFolder) == 0, isFolder.st_mode & S_IFMT == S_IFDIR else {
                setAside(item, because: "it is not a session's folder")
                return false
            }
            return true
        }
    }

    private func take(_ name: String) -> SessionFolder? {
        let item = place.appendingPathComponent(name)
        do throws(FileFailure) {
            return try SessionFolder.take(item)
        } catch {
            // Another process may have deleted it just now.
            if FileManager.default.fileExists(atPath: item.path) { setAside(item, because: "\(error)") }
            return nil
        }
    }

    /// Deletes what processes left that died while they made or deleted a folder.
    private func sweep() {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in all where name.hasPrefix("new-") || name.hasPrefix("gone-") {
            let item = place.appendingPathComponent(name)
            // Without its lock it was just made or is almost gone: only what is empty is deleted.
            guard let folder = try? SessionFolder.take(item) else {
                rmdir(item.path)
                continue
            }
            folder.remove()
        }
    }
}
