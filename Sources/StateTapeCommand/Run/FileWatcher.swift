#if os(Linux)
    import Foundation
    import Glibc

    /// Notices changes in folders with inotify.
    final class FileWatcher: Sendable {
        private let queue: Int32
        private static let events = UInt32(
            IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
                | IN_MOVE_SELF)

        /// - Throws: `Failure` if the system has no more inotify instances.
        init() throws {
            queue = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard queue >= 0 else { throw Failure("The sources can't be watched: \(String(cString: strerror(errno)))") }
        }

        deinit { close(queue) }

        /// Watches folders, too; those that are watched already stay.
        ///
        /// - Throws: `Failure` if there are too many.
        func watch(_ folders: [String]) throws {
            for folder in folders where inotify_add_watch(queue, folder, Self.events) < 0 && errno != ENOENT {
                let reason =
                    errno == ENOSPC
                    ? "there are too many; raise fs.inotify.max_user_watches" : String(cString: strerror(errno))
                throw Failure("The folder \(folder) can't be watched: \(reason)")
            }
        }

        /// Waits for a change, until it has been quiet for a moment, or until the time is over.
        ///
        /// - Returns: Whether anything changed. Blocks the thread.
        func wait(atMost limit: Duration) -> Bool {
            guard hasChange(within: Int32(limit / .milliseconds(1))) else { return false }
            // A save is several changes; so is a checkout.
            for _ in 0..<50 where !hasChange(within: 10) { break }
            return true
        }

        private func hasChange(within milliseconds: Int32) -> Bool {
            var descriptor = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while read(queue, &buffer, buffer.count) > 0 {}
            return true
        }
    }
#endif
