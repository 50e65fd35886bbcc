/// Wraps the reducer: it receives `next` once, when the store is created. The closure that it returns is called for each
/// action.
///
/// Call `next` with the same action or another one. To stop the action, don't call `next` and don't change the state: then
/// the action has no effects, and no subscriber is called. The state is changed in place: before `next` it is the old
/// state, after `next` the new one.
///
/// ```swift
/// let timed: Middleware<AppState, AppAction> = { next in
///     { action, state in
///         let took = ContinuousClock().measure { next(action, &state) }
///         print(action, took)
///     }
/// }
/// ```
///
/// The type is a closure, so that other modules can provide middleware without importing this one.
public typealias Middleware<State, Action> =
    (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void
