public import DispatchContext

/// What the server sends to a store.
public enum ServerInput<State, Action> {
    /// An action to dispatch.
    case action(Action)
    /// A state to apply.
    case state(State)
}

extension RecordableStore where State: Codable, Action: Codable {
    /// Records this store, and lets the server apply states and dispatch actions. Call it before the first dispatch.
    ///
    /// ```swift
    /// let store = Store(initial: AppState(), reducer: appReducer).taped(by: tape)
    /// ```
    ///
    /// The store begins with the launch state that was set on the server, if there is one; see ``Track/start``. Its
    /// effects don't start while recorded actions are replayed. A recorder that is off changes nothing.
    ///
    /// - Parameters:
    ///   - tape: The recorder. It doesn't retain the store.
    ///   - dispatcher: The dispatcher that gives this store its actions, if it has one; the server's actions go through it
    ///     to all of its stores. It isn't retained.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    ///   - isolation: Where the store is used, most often the main actor. Nil if that actor waits in a call such as
    ///     `readLine`: then the recorder calls the store on a thread of its own.
    ///   - receive: Called before the server's action is dispatched, or its state applied.
    /// - Returns: This store.
    @discardableResult
    public func taped(
        by tape: Recorder, through dispatcher: (any RecordableDispatcher<Action>)? = nil, name: String = "main",
        capture: Capture = .every, isolation: isolated (any Actor)? = #isolation,
        receive: @escaping (ServerInput<State, Action>) -> Void = { _ in }
    ) -> Self {
        add(
            tape.track(state, Action.self, name: name, capture: capture), dispatcher, receive, isolation: isolation)
    }
}

extension RecordableStore where State: Codable {
    /// Records this store, whose actions are many types behind a protocol. See
    /// ``Recorder/track(_:_:decoding:name:capture:)`` for their names; the rest is as with
    /// ``taped(by:through:name:capture:isolation:receive:)``.
    ///
    /// - Parameters:
    ///   - tape: The recorder. It doesn't retain the store.
    ///   - decoding: The action types that the server can dispatch in the app.
    ///   - dispatcher: The dispatcher that gives this store its actions, if it has one.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    ///   - isolation: Where the store is used, most often the main actor.
    ///   - receive: Called before the server's action is dispatched, or its state applied.
    /// - Returns: This store.
    @discardableResult
    public func taped(
        by tape: Recorder, decoding: [any Codable.Type],
        through dispatcher: (any RecordableDispatcher<Action>)? = nil, name: String = "main",
        capture: Capture = .every, isolation: isolated (any Actor)? = #isolation,
        receive: @escaping (ServerInput<State, Action>) -> Void = { _ in }
    ) -> Self {
        add(
            tape.track(state, Action.self, decoding: decoding, name: name, capture: capture), dispatcher, receive,
            isolation: isolation)
    }
}

extension RecordableStore {
    private func add(
        _ track: Track<State, Action>, _ dispatcher: (any RecordableDispatcher<Action>)?,
        _ receive: @escaping (ServerInput<State, Action>) -> Void, isolation: isolated (any Actor)?
    ) -> Self {
        guard track.isOn else { return self }
        add(
            AddedRecording(
                launchState: track.launchState, middleware: track.middleware, set: { track.set(&$0, $1) },
                gate: track.gate))
        let dispatch: (Action) -> Void =
            if let dispatcher {
                { [weak dispatcher] in dispatcher?.dispatch($0, fileID: #fileID, line: #line) }
            } else {
                { [weak self] in self?.dispatch($0, fileID: #fileID, line: #line) }
            }
        track.connect(
            state: { [weak self] in self?.state },
            dispatch: {
                receive(.action($0))
                dispatch($0)
            },
            play: { [weak self] in
                receive(.state($0))
                self?.replace($0)
            }, isolation: isolation)
        return self
    }
}

extension RecordableDispatcher {
    /// Records each dispatch to several stores as one on the tape; see ``Recorder/dispatch(_:)``.
    ///
    /// ```swift
    /// let dispatcher = Dispatcher<AppAction>().taped(by: tape)
    /// let cart = Store(initial: Cart(), reducer: reduceCart).taped(by: tape, through: dispatcher, name: "cart")
    /// ```
    @discardableResult
    public func taped(by tape: Recorder) -> Self {
        if tape.isOn { add(AddedDispatchRecording { dispatch in tape.dispatch(dispatch) }) }
        return self
    }
}
