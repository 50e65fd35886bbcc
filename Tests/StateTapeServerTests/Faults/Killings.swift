import Foundation
import TapeFormat

@testable import StateTapeServer

/// Servers that are killed and restarted: where clients find them, and when one is killed.
final class Killings: Sendable {
    private struct State {
        /// Of the servers that run. Clients use one after the other.
        var ports: [Int] = []
        var turn = 0
        var isOver = false
        var waiters: [CheckedContinuation<Int, Never>] = []
        /// Acknowledgements until the next kill; nil while no kill is planned.
        var left: Int?
        var kill: (@Sendable () -> Void)?
        /// The port of the server to kill.
        var victim: Int?

        mutating func nextPort() -> Int? {
            turn += 1
            return ports.isEmpty ? nil : ports[turn % ports.count]
        }
    }

    private let state = Locked(State())

    /// Clients start nothing new.
    var isOver: Bool { state.withLock { $0.isOver } }

    func end() {
        state.withLock { $0.isOver = true }
    }

    /// A server's address, as soon as one runs.
    func port() async -> Int {
        await withCheckedContinuation { continuation in
            let port = state.withLock { state -> Int? in
                let port = state.nextPort()
                if port == nil { state.waiters.append(continuation) }
                return port
            }
            if let port { continuation.resume(returning: port) }
        }
    }

    /// A server is running.
    func begin(_ port: Int) {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.ports.append(port)
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: port) }
    }

    /// Kills a process after a number of acknowledgements, and then returns.
    ///
    /// - Parameter port: The process's.
    func arm(after count: Int, _ process: Int32, at port: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.left = count
                state.victim = port
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
            if isNow { state.ports.removeAll { $0 == state.victim } }
            return isNow ? state.kill : nil
        }
        kill?()
    }
}
