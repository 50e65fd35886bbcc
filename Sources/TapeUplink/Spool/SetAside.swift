import Foundation
import TapeFormat

/// The items that could not be delivered, for a person to look at. They stay for a while, and as a whole they are no
/// larger than a spool.
struct SetAside {
    let folder: URL
    let log: (String) -> Void

    /// Deletes what is too old, and the oldest items beyond a limit of bytes. Items that the recorder didn't put there stay.
    ///
    /// - Parameter now: In seconds since 1970.
    func tidy(limit: Int, now: Int) {
        var room = limit
        for item in items.sorted(by: { $0.since > $1.since }) {
            if now - item.since > SpoolFolder.maxAge {
                delete(item.place, "it was set aside more than 30 days ago")
            } else if item.size > room {
                room = 0
                delete(item.place, "too many bytes are set aside")
            } else {
                room -= item.size
            }
        }
    }

    private var items: [(place: URL, since: Int, size: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(Self.isOwn).map { name in
            let place = folder.appendingPathComponent(name)
            var found = stat()
            lstat(place.path, &found)
            let files = Self.files(of: place)
            return (
                place, found.lastChange, files.reduce(SessionFolder.size(of: place)) { $0 + SessionFolder.size(of: $1) }
            )
        }
    }

    /// A session's id as a recorder makes it, alone or followed by `-`.
    private static func isOwn(_ name: String) -> Bool {
        let id = name.prefix(26)
        guard id.utf8.count == 26, id.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) }) else {
            return false
        }
        return name.count == 26 || name.dropFirst(26).first == "-"
    }

    /// The recorder's files in a session's folder.
    private static func files(of place: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        let own = names.filter {
            $0 == "lock" || SessionFolder.names.contains($0) || $0.hasSuffix(".segment")
        }
        return own.map { place.appendingPathComponent($0) }
    }

    private func delete(_ place: URL, _ reason: String) {
        for file in Self.files(of: place) { unlink(file.path) }
        guard unlink(place.path) == 0 || rmdir(place.path) == 0 else { return }
        log("\(place.path) was deleted: \(reason).")
    }
}
