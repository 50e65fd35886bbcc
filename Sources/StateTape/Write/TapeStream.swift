import Foundation
import TapeFormat
import TapeUplink

/// Writes a tape to a pipe, a character device, or the file behind standard output or standard error.
///
/// A reader may be slow, stop reading or close its end. The recorder's thread then waits for a while, and no signal
/// kills the process.
final class TapeStream {
    /// How long to wait for a reader that takes nothing, in milliseconds.
    private static let limit: Int32 = 5_000
    /// The pipes that recorders of this process write to.
    private static let pipes = Locked<Set<ino_t>>([])

    private let file: OpenFile
    private let place: URL
    /// Nil for a device, which several recorders may write to.
    private let pipe: ino_t?

    /// - Returns: Nil if the path does not exist, or is another kind of file or a folder.
    /// - Throws: The reason why it can't be written to.
    init?(_ place: URL) throws(FileFailure) {
        var found = stat()
        guard stat(place.path, &found) == 0 else { return nil }
        let kind = found.st_mode & S_IFMT
        let descriptor: Int32
        if let standard = Self.standard(found) {
            // Opening it again would overwrite a file that the app prints to.
            descriptor = fcntl(standard, F_DUPFD_CLOEXEC, 3)
        } else if kind == S_IFIFO || kind == S_IFCHR {
            descriptor = open(place.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        } else {
            return nil
        }
        guard descriptor >= 0 else {
            throw errno == ENXIO && kind == S_IFIFO
                ? FileFailure(place, "nobody reads from this pipe") : FileFailure(place)
        }
        let file = OpenFile(place, descriptor: descriptor)
        let pipe = kind == S_IFCHR ? nil : found.st_ino
        if let pipe, !Self.pipes.withLock({ $0.insert(pipe).inserted }) {
            throw FileFailure(place, "another recorder of this process writes to it")
        }
        (self.place, self.file, self.pipe) = (place, file, pipe)
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        #endif
    }

    deinit {
        if let pipe { _ = Self.pipes.withLock { $0.remove(pipe) } }
    }

    /// The descriptor of standard output or error, if it is the file that was found.
    private static func standard(_ found: stat) -> Int32? {
        [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
            var standard = stat()
            return fstat(descriptor, &standard) == 0 && standard.st_ino == found.st_ino
                && standard.st_dev == found.st_dev
        }
    }

    /// Writes all of it, or throws.
    func write(_ bytes: [UInt8]) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            try wait()
            // A pipe that is ready takes `PIPE_BUF` bytes without blocking.
            let end = min(written + Int(PIPE_BUF), bytes.count)
            let count = bytes[written..<end].withUnsafeBytes { part in
                Self.withoutSignal { Foundation.write(file.descriptor, part.baseAddress, part.count) }
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw FileFailure(place) }
            written += count
        }
    }

    private func wait() throws(FileFailure) {
        var ready = pollfd(fd: file.descriptor, events: Int16(POLLOUT), revents: 0)
        var count: Int32
        repeat { count = poll(&ready, 1, Self.limit) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw FileFailure(place) }
        guard count > 0 else { throw FileFailure(place, "its reader has taken nothing for 5 s") }
    }

    /// A write to a pipe without a reader sends SIGPIPE, which kills the process unless it is blocked.
    private static func withoutSignal(_ body: () -> Int) -> Int {
        #if canImport(Darwin)
            return body()
        #else
            var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            sigpending(&pending)
            let wasPending = sigismember(&pending, SIGPIPE) == 1
            pthread_sigmask(SIG_BLOCK, &pipe, &before)
            let (result, code) = (body(), errno)
            if result < 0, code == EPIPE, !wasPending {
                var now = timespec()
                while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            errno = code
            return result
        #endif
    }
}
