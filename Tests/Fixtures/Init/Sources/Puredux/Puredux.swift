public struct StateStore<State: Sendable, Action: Sendable>: Sendable {
    private let send: @Sendable (Action) -> Void

    public init(_ initialState: State, reducer: @Sendable @escaping (inout State, Action) -> Void) {
        send = { action in
            var state = initialState
            reducer(&state, action)
        }
    }

    private init(send: @Sendable @escaping (Action) -> Void) { self.send = send }

    @Sendable public func dispatch(_ action: Action) { send(action) }

    public func map<A>(actions transformation: @Sendable @escaping (A) -> Action) -> StateStore<State, A> {
        StateStore<State, A> { [send] in send(transformation($0)) }
    }
}
