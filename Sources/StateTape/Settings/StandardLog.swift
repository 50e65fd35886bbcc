import TapeFormat

#if canImport(os)
    import os
#else
    import Foundation
#endif

/// Where the recorder's messages go unless the app takes them: the unified log on Apple's systems, else standard error.
enum StandardLog {
    #if canImport(os)
        private static let log = Logger(subsystem: "statetape", category: "recorder")

        @Sendable static func write(_ text: String) {
            log.notice("\(text, privacy: .public)")
        }
    #else
        @Sendable static func write(_ text: String) {
            // If nobody reads standard error any more, writing to it must not end the app.
            var (pipe, others) = (sigset_t(), sigset_t())
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipe, &others)
            var line = Array("\(text.onLines)\n".utf8)[...]
            while !line.isEmpty {
                let count = line.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EPIPE {
                    var now = timespec()
                    sigtimedwait(&pipe, nil, &now)
                }
                if count <= 0 { break }
                line.removeFirst(count)
            }
            pthread_sigmask(SIG_SETMASK, &others, nil)
        }
    #endif
}
