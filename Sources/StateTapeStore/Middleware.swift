/// Wraps the rest of the chain: it is handed `next` once, when the store is made, and the closure that it returns
/// is called for every action.
///
/// Call `next` to go on, with the same action or with another. Leave it out to stop the action, and leave the state alone
/// then: the action has no effects, and no subscriber is called. The state is the store's own, changed in place: before
/// `next` it is the old one, after it the new.
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
/// The type is a plain closure, so that a module can offer a middleware without importing this one.
public typealias Middleware<State, Action> =
    (@escaping (Action, inout State) -> Void) -> (Action, inout State) -> Void
