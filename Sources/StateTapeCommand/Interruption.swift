#if Server
    import Foundation

    /// Waits until the process is told to end, by SIGINT (Ctrl-C), SIGTERM or the end of its terminal.
    ///
    /// The handlers write into a pipe. A dispatch source would need the signals ignored, and on Linux one that comes while
    /// the main thread is busy is then lost.
    struct Interruption {
        private let arrived: AsyncStream<Void>

        /// From now on the signals no longer end the process.
        init() {
            // A reader of the log that has gone must not end the server.
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
            for number in [SIGINT, SIGTERM, SIGHUP] {
                signal(number) { _ in
                    let kept = errno
                    var byte: UInt8 = 1
                    _ = write(input, &byte, 1)
                    errno = kept
                }
            }
        }

        func wait() async {
            for await _ in arrived { return }
        }
    }

    // Unsafe: set before the handlers are installed, and read by them only. A handler can capture nothing.
    private nonisolated(unsafe) var input: Int32 = -1
#endif
