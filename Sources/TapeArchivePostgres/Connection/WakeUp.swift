import Foundation
import TapeArchive

/// Ends a thread's wait for a socket.
final class WakeUp: Sendable {
    private let read: Int32
    private let write: Int32

    init() throws(ServerError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw ServerError(.database, "The system has no pipe left: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (read, write) = (ends[0], ends[1])
    }

    deinit {
        close(read)
        close(write)
    }

    /// Ends the wait that runs, or else the next one.
    func signal() {
        _ = Foundation.write(write, [1], 1)
    }

    /// Waits until the socket can be read, this is signalled, or the time is over.
    ///
    /// - Parameter socket: Negative for none.
    func wait(for socket: Int32, _ duration: Duration) {
        var watched = [
            pollfd(fd: read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = (duration / .milliseconds(1)).rounded(.up)
        guard poll(&watched, 2, Int32(max(0, min(milliseconds, 1_000_000)))) > 0, watched[0].revents != 0 else {
            return
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        while Foundation.read(read, &bytes, bytes.count) == bytes.count {}
    }
}
