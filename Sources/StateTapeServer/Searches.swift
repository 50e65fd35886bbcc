#if Server
    import Foundation
    import Synchronization

    /// Runs what may keep a core busy: searches, figures, comparisons. Each has a thread of low priority, and fewer run at
    /// a time than there are cores, so that the loop and the commits never wait for them.
    final class Searches: Sendable {
        private struct State {
            /// How many more may run now.
            var free: Int
            /// Those that wait for their turn, the longest first.
            var queue: [DispatchSemaphore] = []
            var count = 0
            var isStopped = false
        }

        /// Searches that run or wait.
        private static let most = 64
        private static let niceness: Int32 = 10
        /// As the main thread's: a parser goes as deep as JSON may be nested.
        private static let stack = 8 << 20

        /// How long an answer goes through events before it ends with what it has found.
        let scan: Duration
        private let state: Mutex<State>
        private let running = DispatchGroup()

        init(
            cores: Int = ProcessInfo.processInfo.activeProcessorCount, scan: Duration = Configuration.Timing().scan
        ) {
            self.scan = scan
            state = Mutex(State(free: max(1, cores - 1)))
        }

        /// Runs `body` when it is its turn.
        ///
        /// - Throws: ``Problem`` 503 if too many wait.
        func run(_ body: @escaping @Sendable () -> Void) throws(Problem) {
            let isTaken = state.withLock { state in
                guard state.count < Self.most, !state.isStopped else { return false }
                state.count += 1
                return true
            }
            guard isTaken else { throw Problem(503, "busy", "\(Self.most) searches wait already; ask again later.") }
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

        /// Lets another search run that has waited, if there is one. For what runs here, now and then.
        func giveWay() {
            guard state.withLock({ !$0.queue.isEmpty }) else { return }
            end()
            begin()
        }

        /// How many wait for their turn.
        var waiting: Int { state.withLock { $0.queue.count } }

        /// Drops what hasn't begun, and returns once nothing runs.
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
                // There a thread has a priority of its own.
                setpriority(.init(PRIO_PROCESS.rawValue), 0, niceness)
            #endif
        }
    }
#endif
