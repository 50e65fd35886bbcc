/// Does asynchronous work and dispatches its results, as often as it likes.
///
/// - Parameters:
///   - state: Returns the newest state; nil if the store was released.
///   - dispatch: Dispatches to the store, on the actor on which the store was created.
public typealias AsyncActionCreator<State, Action> =
    @Sendable (_ state: @escaping @Sendable () -> State?, _ dispatch: Effect<Action>.Dispatch) async -> Void

extension Store where State: Sendable {
    /// Runs an asynchronous creator in its own task, outside of any dispatch.
    ///
    /// ```swift
    /// store.dispatch { state, dispatch in
    ///     guard let query = state()?.query else { return }
    ///     await dispatch(.searching)
    ///     await dispatch(.found(try? await remote.find(query)))
    /// }
    /// ```
    ///
    /// - Parameter creator: The work. The task doesn't retain the store.
    /// - Returns: The task, to wait for it or to cancel it. After that it dispatches nothing more.
    @discardableResult
    public func dispatch(from creator: @escaping AsyncActionCreator<State, Action>) -> Task<Void, Never> {
        let target = Effects<Action>.Target(store: self, isolation: isolation)
        return Task { await creator({ target.store?.state }, Effect.Dispatch { await target.dispatch($0, from: $1) }) }
    }
}
