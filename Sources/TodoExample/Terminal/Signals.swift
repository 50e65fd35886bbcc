import Foundation

/// The signals that the app handles.
///
/// The handlers write into a pipe. A dispatch source needs the signals ignored, and on Linux a signal is then lost if
/// it arrives while the main thread is busy.
struct Signals: Sendable {
    let numbers: AsyncStream<Int32>

    /// Installs the handlers: the signals no longer end the process.
    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let output = ends[0]
        input = ends[1]
        numbers = AsyncStream { stream in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                while true {
                    let count = read(output, &byte, 1)
                    if count == 1 { stream.yield(Int32(byte)) } else if count == 0 || errno != EINTR { return }
                }
            }
        }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] {
            signal(number) { number in
                let savedError = errno
                var byte = UInt8(number)
                _ = write(input, &byte, 1)
                errno = savedError
            }
        }
        // If the reader closes the pipe, writing fails instead of killing the app.
        signal(SIGPIPE, SIG_IGN)
    }
}

// Unsafe: set before the handlers are installed, and read only by them. A signal handler can't capture variables.
private nonisolated(unsafe) var input: Int32 = -1
