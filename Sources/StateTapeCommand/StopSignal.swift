import Foundation

/// Notes SIGINT, SIGTERM or SIGHUP, so that a command can remove what it made. The second one ends the process.
enum StopSignal {
    static var hasArrived: Bool { arrived != 0 }

    static func listen() {
        for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !ForwardedSignals.isIgnored(number) {
            signal(number) { number in
                arrived = number
                signal(number, SIG_DFL)
            }
        }
    }

    /// Ends the process as the signal would have.
    static func end() -> Never {
        signal(arrived, SIG_DFL)
        raise(arrived)
        exit(128 + arrived)
    }
}

// Unsafe: a signal handler can't capture variables. A number is written and read at once.
private nonisolated(unsafe) var arrived: Int32 = 0
