public import DispatchContext

/// A store of your own that the server can reach.
///
/// ```swift
/// @MainActor final class CartModel: TapedStore {
///     var state: Cart
///     private let track: Track<Cart, CartAction>
///
///     init(_ tape: Recorder) {
///         track = tape.track(Cart(), CartAction.self)
///         state = track.start
///         track.attach(self)
///     }
///
///     func send(_ action: CartAction, fileID: StaticString = #fileID, line: UInt = #line) {
///         track.record(action, in: self, fileID: fileID, line: line) {
///             reduceCart(&$0, action)
///         } effects: {
///             startEffects(action)
///         }
///     }
/// }
/// ```
///
/// A store on an actor needs Swift 6.2, and `@MainActor TapedStore` unless the module isolates to the main actor. What
/// can't conform calls ``Track/connect(state:dispatch:play:isolation:)``.
public protocol TapedStore<State, Action>: AnyObject {
    associatedtype State
    associatedtype Action

    /// The current state. The recorder changes it in place, inside the closure of `record`.
    var state: State { get set }
    /// Dispatches an action as the app does.
    func send(_ action: Action, fileID: StaticString, line: UInt)
    /// Sets the state without an action. Implement it if the store has to show the state, too.
    func replace(_ state: State)
}

extension TapedStore {
    public func replace(_ state: State) { self.state = state }
}

extension Track {
    /// Connects a store, so that the server can apply states and dispatch actions.
    ///
    /// The recorder doesn't retain it.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isolation: Where the store is used.
    public func attach(_ store: some TapedStore<State, Action>, isolation: isolated (any Actor)? = #isolation) {
        connect(
            state: { [weak store] in store?.state },
            dispatch: { [weak store] in store?.send($0, fileID: #fileID, line: #line) },
            play: { [weak store] in store?.replace($0) }, isolation: isolation)
    }
}

extension Track {
    /// Dispatches one action in a store of your own: runs its reduction, records it, and starts its effects.
    ///
    /// While the app is locked, the action is queued: neither closure runs. While recorded actions are replayed, their
    /// effects don't start, since the tape already has what they dispatched.
    ///
    /// - Parameters:
    ///   - action: The action, recorded before the reducer runs.
    ///   - store: The store. Its state is changed in place.
    ///   - fileID: The file of the call site. Pass on that of your own method.
    ///   - line: The line of the call site.
    ///   - reduce: The reduction. Its error is passed on, and the tape has it on the action's event.
    ///   - effects: Called after the reducer, if effects may start. What it dispatches, also from its tasks, names this
    ///     action as its cause.
    @inlinable
    public func record<Failure: Error>(
        _ action: Action, in store: some TapedStore<State, Action>, fileID: StaticString, line: UInt,
        _ reduce: (inout State) throws(Failure) -> Void, effects: () -> Void = {}
    ) throws(Failure) {
        try dispatch(fileID: fileID, line: line) { () throws(Failure) in
            let isReduced = try record(action, &store.state, held: false) { state throws(Failure) in
                try reduce(&state)
                return true
            }
            if isReduced { effects() }
        }
    }
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
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    ///   - dispatch: Passes the server's actions on, as to a dispatcher of several stores; nil: to this store.
    ///   - isolation: Where the store is used, most often the main actor. Nil if that actor waits in a call such as
    ///     `readLine`: then the recorder calls the store on a thread of its own.
    /// - Returns: This store.
    @discardableResult
    public func taped(
        by tape: Recorder, name: String = "main", capture: Capture = .every, dispatch: ((Action) -> Void)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> Self {
        add(tape.track(state, Action.self, name: name, capture: capture), dispatch, isolation: isolation)
    }
}

extension RecordableStore where State: Codable {
    /// Records this store, whose actions are many types behind a protocol. See ``Recorder/track(_:_:decoding:name:capture:)``
    /// for their names.
    ///
    /// - Parameters:
    ///   - tape: The recorder. It doesn't retain the store.
    ///   - decoding: The action types that the server can dispatch in the app.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    ///   - dispatch: Passes the server's actions on, as to a dispatcher of several stores; nil: to this store.
    ///   - isolation: Where the store is used; see ``taped(by:name:capture:dispatch:isolation:)``.
    /// - Returns: This store.
    @discardableResult
    public func taped(
        by tape: Recorder, decoding: [any Codable.Type], name: String = "main", capture: Capture = .every,
        dispatch: ((Action) -> Void)? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> Self {
        add(
            tape.track(state, Action.self, decoding: decoding, name: name, capture: capture), dispatch,
            isolation: isolation)
    }
}

extension RecordableStore {
    private func add(
        _ track: Track<State, Action>, _ dispatch: ((Action) -> Void)?, isolation: isolated (any Actor)?
    ) -> Self {
        guard track.isOn else { return self }
        add(
            AddedRecording(
                start: track.start, middleware: track.middleware, startsEffects: { !track.isReplaying }))
        track.connect(
            state: { [weak self] in self?.state },
            dispatch: dispatch ?? { [weak self] in self?.dispatch($0, fileID: #fileID, line: #line) },
            play: { [weak self] in self?.replace($0) }, isolation: isolation)
        return self
    }
}
