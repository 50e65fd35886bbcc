#if Server
    import Foundation
    import Synchronization

    @testable import StateTapeServer

    /// The server that dies and comes again: where its clients find it, and when it dies.
    final class Killings: Sendable {
        private struct State {
            var port: Int?
            var isOver = false
            var waiters: [CheckedContinuation<Int, Never>] = []
            /// Acknowledgements until it dies; nil while nothing kills it.
            var left: Int?
            var kill: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        /// No client begins anything more.
        var isOver: Bool { state.withLock { $0.isOver } }

        func end() {
            state.withLock { $0.isOver = true }
        }

        /// Where the server is, as soon as it is there.
        func port() async -> Int {
            await withCheckedContinuation { continuation in
                let port = state.withLock { state -> Int? in
                    if state.port == nil { state.waiters.append(continuation) }
                    return state.port
                }
                if let port { continuation.resume(returning: port) }
            }
        }

        /// The server is there.
        func begin(_ port: Int) {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                state.port = port
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: port) }
        }

        /// Kills a process where it stands, at the acknowledgement that comes after so many, and returns then.
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

        /// A client was told that something is kept.
        ///
        /// - Parameter isLast: It dies now, if it is to die.
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
