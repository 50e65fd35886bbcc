/// Asynchronous work that an action asks for, run after its reduction.
///
/// ```swift
/// func effects(action: AppAction, state: AppState) -> Effect<AppAction>? {
///     guard case .search(let text) = action else { return nil }
///     return Effect { dispatch in
///         await dispatch(.found(try? await remote.find(text)))
///     }
/// }
/// ```
public struct Effect<Action>: Sendable {
    /// Dispatches to the store on the actor on which the store was made, if it was made on one. It does nothing once
    /// the store is gone.
    public typealias Dispatch = @Sendable (sending Action) async -> Void

    /// The work, in a task of its own.
    public typealias Work = @Sendable (_ dispatch: @escaping Dispatch) async -> Void

    let work: Work

    /// Makes an effect.
    ///
    /// - Parameter work: What to do; it may dispatch any number of times.
    public init(_ work: @escaping Work) {
        self.work = work
    }
}
