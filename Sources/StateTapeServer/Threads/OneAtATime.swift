import Foundation
import TapeFormat

/// Lets one caller at a time work on each key.
final class OneAtATime<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let lock = NSLock()
        var users = 0
    }

    private let entries = Locked<[Key: Entry]>([:])

    func run<Result>(_ key: Key, _ body: () throws -> Result) rethrows -> Result {
        let lock = entries.withLock { entries in
            entries[key, default: Entry()].users += 1
            return entries[key, default: Entry()].lock
        }
        lock.lock()
        defer {
            lock.unlock()
            entries.withLock { entries in
                entries[key]?.users -= 1
                if entries[key]?.users == 0 { entries[key] = nil }
            }
        }
        return try body()
    }
}
