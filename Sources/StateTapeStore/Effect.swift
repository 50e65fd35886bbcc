/// Asynchronous work that an action asks for, run after its reduction.
///
/// ```swift
/// func effects(action: AppAction, state: AppState) -> Effect<AppAction>? {
///     guard case .search(let text) = action else { return nil }
///     return Effect { dispatch in
///         dispatch(.found(await remote.find(text)))
///     }
/// }
/// ```
public struct Effect<Action>: Sendable {
    /// The work. It runs on the actor on which the store was made, if it was made on one, and so do the dispatches
    /// that it makes; otherwise on the concurrent executor.
    ///
    /// `dispatch` does nothing once the store is gone.
    public typealias Work =
        nonisolated(nonsending) @Sendable (_ dispatch: @escaping (sending Action) -> Void) async -> Void

    let work: Work

    /// Makes an effect.
    ///
    /// - Parameter work: What to do; it may dispatch any number of times.
    public init(_ work: @escaping Work) {
        self.work = work
    }
}
