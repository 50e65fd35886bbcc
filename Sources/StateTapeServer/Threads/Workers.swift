import Dispatch
import TapeFormat

/// A few threads for work that must not block the loop, such as reading the archive and building states. Clients take
/// turns.
///
/// The threads are its own: those that the system shares are as many as the machine has cores, so that other work
/// would keep this waiting.
final class Workers: Sendable {
    private struct State {
        var turns = Turns<@Sendable () -> Void>()
        /// The threads that have nothing to do. Each serial queue has one.
        var free: [DispatchQueue]
    }

    private let queues: [DispatchQueue]
    private let state: Locked<State>

    /// - Parameter qos: On Linux, the threads of `.background` get a tenth of a core that others want too.
    init(_ count: Int = 4, qos: DispatchQoS = .unspecified) {
        queues = (1...count).map { DispatchQueue(label: "statetape.worker.\($0)", qos: qos) }
        state = Locked(State(free: queues))
    }

    func run(for client: Requester = .server, _ body: @escaping @Sendable () -> Void) {
        let free = state.withLock { state in
            state.turns.add(body, for: client)
            return state.free.popLast()
        }
        if let free { free.async { [state] in Self.work(on: free, state) } }
    }

    /// Runs what waits until nothing does.
    private static func work(on queue: DispatchQueue, _ state: Locked<State>) {
        let next: () -> (@Sendable () -> Void)? = {
            state.withLock { state in
                let body = state.turns.next()
                if body == nil { state.free.append(queue) }
                return body
            }
        }
        while let body = next() { body() }
    }

    /// Drops the work that has not started, and waits for the rest.
    func stop() {
        state.withLock { $0.turns = Turns() }
        for queue in queues { queue.sync {} }
    }
}
