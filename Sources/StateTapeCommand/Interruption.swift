import Foundation

/// Waits for SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP (the terminal closed; not with `nohup`).
///
/// The handlers write into a pipe. A dispatch source needs the signals ignored, and on Linux a signal is then lost if
/// it arrives while the main thread is busy.
struct Interruption {
    private let arrived: AsyncStream<Void>

    /// Installs the handlers: the signals no longer end the process.
    init() {
        // A closed log pipe must not end the server.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let output = ends[0]
        input = ends[1]
        arrived = AsyncStream { stream in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                while true {
                    let count = read(output, &byte, 1)
                    if count == 1 { stream.yield() } else if count == 0 || errno != EINTR { return }
                }
            }
        }
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
        where ![SIGQUIT, SIGHUP].contains(number) || !ForwardedSignals.isIgnored(number) {
            signal(number) { _ in
                let savedError = errno
                var byte: UInt8 = 1
                _ = write(input, &byte, 1)
                errno = savedError
            }
        }
    }

    func wait() async {
        for await _ in arrived { return }
    }
}

// Unsafe: set before the handlers are installed, and read only by them. A signal handler can't capture variables.
private nonisolated(unsafe) var input: Int32 = -1
