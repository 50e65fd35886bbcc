import Dispatch

/// The shape of Puredux's store: it reduces on its own queue, and its state can't be read.
nonisolated struct StateStore<State: Sendable, Action: Sendable>: Sendable {
    private let send: @Sendable (Action) -> Void

    init(_ initialState: State, reducer: @escaping (inout State, Action) -> Void) {
        let core = Core(initialState, reducer)
        send = { action in core.queue.async { core.reducer(&core.state, action) } }
    }

    private init(send: @escaping @Sendable (Action) -> Void) {
        self.send = send
    }

    @Sendable func dispatch(_ action: Action) { send(action) }

    func map<A>(actions transformation: @Sendable @escaping (A) -> Action) -> StateStore<State, A> {
        StateStore<State, A> { [send] in send(transformation($0)) }
    }

    // Unchecked: everything is used on the queue.
    private final class Core: @unchecked Sendable {
        let queue = DispatchQueue(label: "puredux")
        var state: State
        let reducer: (inout State, Action) -> Void

        init(_ state: State, _ reducer: @escaping (inout State, Action) -> Void) {
            self.state = state
            self.reducer = reducer
        }
    }
}
