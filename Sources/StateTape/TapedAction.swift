/// What a recorded store receives: an action with its origin, or a state to apply.
///
/// A store that takes nothing but actions, or that reduces them later, takes this in their place. It then needs no other
/// way for the server's states, and each action brings along where it was dispatched.
public enum TapedAction<State, Action> {
    /// An action of the app, with the place and the event that it comes from.
    case action(Action, DispatchOrigin)
    /// A state to apply.
    case state(State)

    /// An action that is dispatched here: the tape names the line of this call, and the event that runs now as its cause.
    ///
    /// ```swift
    /// store.dispatch(.send(.add(3)))
    /// ```
    public static func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> TapedAction {
        .action(action, DispatchOrigin(fileID: fileID, line: line))
    }
}

extension TapedAction: Sendable where State: Sendable, Action: Sendable {}

extension Track {
    /// Reduces what a store has received: records the action and the state after it, or applies the state.
    ///
    /// - Parameters:
    ///   - state: The store's state.
    ///   - received: What the store has received.
    ///   - reduce: The reduction of an action. Its error is passed on, and the tape has it on the action's event.
    public func reduce<Failure: Error>(
        _ state: inout State, _ received: TapedAction<State, Action>,
        _ reduce: (inout State, Action) throws(Failure) -> Void
    ) throws(Failure) {
        try self.reduce(&state, received, held: (), reduce)
    }

    /// Reduces what a store has received, and returns what the reduction does, such as an effect.
    ///
    /// - Parameters:
    ///   - state: The store's state.
    ///   - received: What the store has received.
    ///   - held: The value to return for a state, and for an action that is queued while the app is locked.
    ///   - reduce: The reduction of an action. Its error is passed on, and the tape has it on the action's event.
    public func reduce<Output, Failure: Error>(
        _ state: inout State, _ received: TapedAction<State, Action>, held: @autoclosure () -> Output,
        _ reduce: (inout State, Action) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        switch received {
        case .state(let applied):
            state = applied
            return held()
        case .action(let action, let origin):
            return try within(origin) { () throws(Failure) in
                try record(action, &state, held: held()) { state throws(Failure) in try reduce(&state, action) }
            }
        }
    }

    /// Connects a store that takes ``TapedAction``, as ``connect(state:dispatch:play:isolation:)`` does.
    ///
    /// - Parameters:
    ///   - state: Returns the store's current state, or nil if the store is gone. Leave it out if it can't be read.
    ///   - send: Sends the store the server's action or state.
    ///   - isolation: Where the closures run.
    public func connect(
        state: (() -> State?)? = nil, send: @escaping (TapedAction<State, Action>) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) {
        connect(
            state: state, dispatch: { send(.send($0)) }, play: { send(.state($0)) }, isolation: isolation)
    }
}
