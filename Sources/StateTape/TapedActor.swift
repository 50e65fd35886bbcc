/// A store of your own that is an actor. The server can reach it, and nothing of the recorder retains it.
///
/// ```swift
/// actor CartStore: TapedActor {
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
///         track.record(action, in: self, fileID: fileID, line: line) { reduceCart(&$0, action) }
///     }
/// }
/// ```
public protocol TapedActor<State, Action>: Actor {
    associatedtype State: Sendable
    associatedtype Action: Sendable

    /// The current state. The recorder changes it in place, inside the closure of `record`.
    var state: State { get set }
    /// Dispatches an action as the app does.
    func send(_ action: Action, fileID: StaticString, line: UInt)
    /// Sets the state without an action. Implement it if the store has to show the state, too.
    func replace(_ state: State)
}

extension TapedActor {
    public func replace(_ state: State) { self.state = state }
}

extension Track {
    /// Connects an actor, so that the server can apply states and dispatch actions. An initializer may call it at its end.
    ///
    /// - Parameter store: The store, which the recorder doesn't retain.
    public func attach<Store: TapedActor<State, Action>>(_ store: Store) {
        connect(
            StoreHandlers(
                state: { [weak store] in store?.assumeIsolated { $0.state } },
                dispatch: { [weak store] action in
                    store?.assumeIsolated { $0.send(action, fileID: #fileID, line: #line) }
                },
                play: { [weak store] state in store?.assumeIsolated { $0.replace(state) } }, on: store))
    }

    /// Dispatches one action in an actor of your own: runs its reduction, records it, and starts its effects. The same as
    /// in a class that is a ``TapedStore``.
    @inlinable
    public func record<Store: TapedActor<State, Action>, Failure: Error>(
        _ action: Action, in store: isolated Store, fileID: StaticString, line: UInt,
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
