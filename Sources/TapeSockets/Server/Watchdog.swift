import Foundation
import TapeFormat

/// A thread that ends the process if a loop hangs. Nothing else would, not even a signal that the loop handles.
///
/// It counts its wake-ups without an answer from the loop, not the time. So a process that was suspended, or whose
/// machine slept, is not ended.
package final class Watchdog: Sendable {
    private struct State {
        var unanswered = 0
        var isStopped = false
    }

    /// The number of wake-ups within the limit.
    private static let looks = 10

    private let state = Locked(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - loop: The loop to watch.
    ///   - limit: The longest time without a turn.
    ///   - hung: Called once, on this thread. By default it writes one line to standard error and ends the process.
    package init(
        of loop: EventLoop, limit: Duration, hung: @escaping @Sendable (_ message: String) -> Void = Watchdog.end
    ) {
        let thread = Thread { [self] in
            watch(loop, every: limit / Self.looks) {
                hung("The event loop hung for \(limit), so the server exits. Start it again.")
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

    /// 70 is `EX_SOFTWARE`. No cleanup: it might wait for the loop.
    package static let end: @Sendable (_ message: String) -> Void = { message in
        FileHandle.standardError.write(Data("statetape: \(message)\n".utf8))
        _exit(70)
    }
}
