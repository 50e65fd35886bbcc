#if Server
    import Foundation
    import Synchronization

    @testable import StateTapeServer

    /// A server that is killed and restarted: where clients find it, and when it is killed.
    final class Killings: Sendable {
        private struct State {
            var port: Int?
            var isOver = false
            var waiters: [CheckedContinuation<Int, Never>] = []
            /// Acknowledgements until the next kill; nil while no kill is planned.
            var left: Int?
            var kill: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        /// Clients start nothing new.
        var isOver: Bool { state.withLock { $0.isOver } }

        func end() {
            state.withLock { $0.isOver = true }
        }

        /// The server's address, as soon as it runs.
        func port() async -> Int {
            await withCheckedContinuation { continuation in
                let port = state.withLock { state -> Int? in
                    if state.port == nil { state.waiters.append(continuation) }
                    return state.port
                }
                if let port { continuation.resume(returning: port) }
            }
        }

        /// The server is running.
        func begin(_ port: Int) {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                state.port = port
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: port) }
        }

        /// Kills a process after a number of acknowledgements, and then returns.
        func arm(after count: Int, _ process: Int32) async {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.left = count
                    state.kill = {
                        kill(process, SIGKILL)
                        continuation.resume()
                    }
                }
            }
        }

        /// A client has received an acknowledgement.
        ///
        /// - Parameter isLast: Whether a planned kill happens now.
        func acknowledged(isLast: Bool = false) {
            let kill = state.withLock { state -> (@Sendable () -> Void)? in
                guard let left = state.left else { return nil }
                let isNow = isLast || left == 0
                state.left = isNow ? nil : left - 1
                if isNow { state.port = nil }
                return isNow ? state.kill : nil
            }
            kill?()
        }
    }
#endif
