/// A store of your own that the server can reach.
///
/// ```swift
/// @MainActor final class CartModel: TapedStore {
///     var state = Cart()
///     private let track: Track<Cart, CartAction>
///
///     init(_ tape: Recorder) {
///         track = tape.track(Cart(), CartAction.self)
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
/// A class on an actor needs Swift 6.2, and `@MainActor TapedStore` unless the module isolates to the main actor. An actor
/// is a ``TapedActor``. What can't conform calls ``Track/connect(state:dispatch:play:isolation:)``.
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
    /// Connects a store, so that the server can apply states and dispatch actions. The store begins with the launch state
    /// that was set on the server, if there is one.
    ///
    /// The recorder doesn't retain it. Waits for the launch state, as ``start``.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isolation: Where the store is used.
    public func attach(_ store: some TapedStore<State, Action>, isolation: isolated (any Actor)? = #isolation) {
        if let launchState { store.replace(launchState) }
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
