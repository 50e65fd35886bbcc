#if Server
    import Foundation
    import TapeFormat

    /// Runs work that may keep a core busy: searches, statistics, comparisons. Each has its own low-priority thread,
    /// and fewer run at once than there are cores, so that the loop and the commits never wait for them.
    final class Searches: Sendable {
        private struct State {
            /// How many more may start now.
            var free: Int
            /// The waiting searches, the oldest first.
            var queue: [DispatchSemaphore] = []
            var count = 0
            var isStopped = false
        }

        /// The most searches that run or wait.
        private static let most = 64
        private static let niceness: Int32 = 10
        /// As large as the main thread's: the parser recurses as deep as JSON may be nested.
        private static let stack = 8 << 20

        /// How long one request may scan events before it answers with what it has found so far.
        let scan: Duration
        private let state: Locked<State>
        private let running = DispatchGroup()

        init(
            cores: Int = ProcessInfo.processInfo.activeProcessorCount, scan: Duration = Configuration.Timing().scan
        ) {
            self.scan = scan
            state = Locked(State(free: max(1, cores - 1)))
        }

        /// Runs `body` when its turn comes.
        ///
        /// - Throws: ``Problem`` 503 if too many searches are waiting.
        func run(_ body: @escaping @Sendable () -> Void) throws(Problem) {
            let isTaken = state.withLock { state in
                guard state.count < Self.most, !state.isStopped else { return false }
                state.count += 1
                return true
            }
            guard isTaken else { throw Problem(503, "busy", "\(Self.most) searches run or wait; try again later.") }
            running.enter()
            let thread = Thread { [self] in
                Self.lowerPriority()
                begin()
                if !isStopped { body() }
                end()
                state.withLock { $0.count -= 1 }
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
                state.queue.append(turn)
                return turn
            }
            turn?.wait()
        }

        private func end() {
            state.withLock { state in
                if state.queue.isEmpty { state.free += 1 } else { state.queue.removeFirst().signal() }
            }
        }

        private static func lowerPriority() {
            #if os(Linux)
                // On Linux a thread has a priority of its own.
                setpriority(.init(PRIO_PROCESS.rawValue), 0, niceness)
            #endif
        }
    }
#endif
