/// An action that carries its own asynchronous work, like a thunk. The reducer receives it, too, and may ignore it.
///
/// The store's actions are a protocol, and `effects:` is the one middleware that executes them:
///
/// ```swift
/// protocol AppAction: Sendable {}
///
/// struct Search: AppAction, ExecutableAction {
///     var text: String
///
///     func execute(_ state: AppState, _ dispatch: Effect<any AppAction>.Dispatch) async {
///         await dispatch(Found(items: try? await state.server.find(text)))
///     }
/// }
///
/// let store = Store(initial: AppState(), reducer: reduce, effects: Effect<any AppAction>.executing)
/// ```
///
/// The action passes the middleware and the reducer before it is executed. So a recorder has it on the tape, with what it
/// dispatched after it. An action that is queued or replayed is not executed.
///
/// The style is that of redux-thunk, with values in place of closures: a value can be recorded and dispatched again.
public protocol ExecutableAction<State, Action>: Sendable {
    /// The store's state.
    associatedtype State: Sendable
    /// The protocol of the store's actions, as `any AppAction`.
    associatedtype Action

    /// Does the work, in its own task and on no actor. The release of the store cancels it.
    ///
    /// - Parameters:
    ///   - state: The state after the action was reduced.
    ///   - dispatch: Dispatches to the store.
    func execute(_ state: State, _ dispatch: Effect<Action>.Dispatch) async
}

extension Effect {
    /// Returns the work of an executable action; nil for all other actions.
    ///
    /// Combine it with effects of plain actions: `{ .executing($0, $1) ?? appEffects($0, $1) }`.
    public static func executing<State: Sendable>(_ action: Action, _ state: State) -> Effect? {
        guard let executable = action as? any ExecutableAction<State, Action> else { return nil }
        return Effect { await executable.execute(state, $0) }
    }
}
