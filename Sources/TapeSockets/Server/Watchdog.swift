#if Server
    import Foundation

    /// A thread that ends the process if a loop no longer turns: nothing else would, not even a signal that the loop was to
    /// handle.
    ///
    /// It counts how often it woke without the loop having answered, not the time: a process that stood still as a whole,
    /// because it was stopped or its machine slept, wakes once and finds a loop that answers.
    package final class Watchdog: Sendable {
        private struct State {
            var unanswered = 0
            var isStopped = false
        }

        /// How often it wakes within the limit.
        private static let looks = 10

        private let state = Locked(State())
        private let wake = DispatchSemaphore(value: 0)

        /// Starts the thread.
        ///
        /// - Parameters:
        ///   - loop: The loop that has to turn.
        ///   - limit: How long it may not.
        ///   - hung: Called on the thread, once; by default it writes one line to standard error and ends the process.
        package init(
            of loop: EventLoop, limit: Duration, hung: @escaping @Sendable (_ message: String) -> Void = Watchdog.end
        ) {
            let thread = Thread { [self] in
                watch(loop, every: limit / Self.looks) {
                    hung("The event loop has not turned for \(limit): the server ends, to be started again.")
                }
            }
            thread.name = "statetape.watchdog"
            thread.start()
        }

        /// Ends the thread.
        package func stop() {
            state.withLock { $0.isStopped = true }
            wake.signal()
        }

        private func watch(_ loop: EventLoop, every interval: Duration, _ hung: () -> Void) {
            while !state.withLock({ $0.isStopped }) {
                guard loop.enqueue({ self.state.withLock { $0.unanswered = 0 } }) else { return }
                _ = wake.wait(timeout: .now() + interval / .seconds(1))
                let unanswered = state.withLock { state in
                    state.unanswered += 1
                    return state.unanswered
                }
                if unanswered > Self.looks, !state.withLock({ $0.isStopped }) { return hung() }
            }
        }

        /// 70 is `EX_SOFTWARE`. Nothing is tidied up: what does so may wait for the loop.
        package static let end: @Sendable (_ message: String) -> Void = { message in
            FileHandle.standardError.write(Data("statetape: \(message)\n".utf8))
            _exit(70)
        }
    }
#endif
