import Foundation
import TapeFormat

/// Runs work that may keep a core busy: searches, statistics, comparisons. Each has its own low-priority thread, so that
/// the loop and the commits don't wait for them, and few run at once. Clients take turns.
final class Searches: Sendable {
    private struct State {
        /// How many more may start now.
        var free: Int
        /// The waiting searches.
        var queue = Turns<DispatchSemaphore>()
        /// Of those that run or wait.
        var places = Places(64, withoutControl: 48, ofClient: 24)
        var isStopped = false
    }

    /// Whose search runs on this thread.
    @TaskLocal private static var client = Requester.server
    private static let niceness: Int32 = 10
    /// As large as the main thread's: the parser recurses as deep as JSON may be nested.
    private static let stack = 8 << 20

    /// How long one request may scan events before it answers with what it has found so far.
    let scan: Duration
    private let state: Locked<State>
    private let running = DispatchGroup()

    /// - Parameter atOnce: How many run at once. Not one alone: a long one would keep all others waiting until it yields.
    init(
        atOnce: Int = max(2, ProcessInfo.processInfo.activeProcessorCount - 1),
        scan: Duration = Configuration.Timing().scan
    ) {
        self.scan = scan
        state = Locked(State(free: atOnce))
    }

    /// Runs `body` when its turn comes.
    ///
    /// - Throws: ``Problem`` 503 if too many searches are waiting.
    func run(for client: Requester, _ body: @escaping @Sendable () -> Void) throws(Problem) {
        guard state.withLock({ !$0.isStopped && $0.places.take(client) }) else {
            throw Problem(
                503, "busy", "Too many searches are running or waiting; try again later.", retryAfter: .seconds(1))
        }
        running.enter()
        let thread = Thread { [self] in
            Self.lowerPriority()
            Self.$client.withValue(client) {
                begin()
                if !isStopped { body() }
                end()
            }
            state.withLock { $0.places.give(back: client) }
            running.leave()
        }
        thread.stackSize = Self.stack
        thread.qualityOfService = .utility
        thread.start()
    }

    /// Lets another waiting search run. A running search calls this now and then.
    func yieldTurn() {
        guard state.withLock({ !$0.queue.isEmpty }) else { return }
        end()
        begin()
    }

    /// How many searches are waiting.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Drops the waiting searches, and returns once no search runs.
    func stop() {
        state.withLock { $0.isStopped = true }
        running.wait()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    private func begin() {
        let turn = state.withLock { state -> DispatchSemaphore? in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            state.queue.add(turn, for: Self.client)
            return turn
        }
        turn?.wait()
    }

    private func end() {
        state.withLock { state in
            if let next = state.queue.next() { next.signal() } else { state.free += 1 }
        }
    }

    private static func lowerPriority() {
        #if os(Linux)
            // On Linux a thread has a priority of its own.
            setpriority(.init(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
    }
}
