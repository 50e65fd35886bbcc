/// Asynchronous work that runs after an action was reduced.
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
    /// Dispatches to the store, on the actor on which the store was created. Does nothing if the store was released.
    public typealias Dispatch = @Sendable (sending Action) async -> Void

    /// The work, which runs in its own task.
    public typealias Work = @Sendable (_ dispatch: @escaping Dispatch) async -> Void

    let work: Work

    /// Creates an effect.
    ///
    /// - Parameter work: The work; it may dispatch any number of actions.
    public init(_ work: @escaping Work) {
        self.work = work
    }
}
