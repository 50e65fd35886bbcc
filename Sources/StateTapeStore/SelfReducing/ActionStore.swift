/// A store whose actions reduce themselves. Actions are dispatched with
/// ``SelfReducing/dispatch(to:fileID:line:isolation:)``.
///
/// It is a ``Store``: subscriptions, middleware and drivers work as for any other.
public typealias ActionStore<State> = Store<State, any SelfReducing<State>>

extension Store {
    /// Creates a store whose actions reduce themselves.
    ///
    /// ```swift
    /// let store = ActionStore(initial: Feed(), rules: [UniqueRule(Refresh.self, cancelBehavior: .last)])
    ///     .taped(by: tape, decoding: [Refresh.self, Finished<Refresh>.self])
    /// ```
    ///
    /// While a recorder locks the app, no action starts its work, and the results of running work are queued. A replayed
    /// action is only reduced; its result follows as a ``Finished`` action, which was recorded too.
    ///
    /// - Parameters:
    ///   - initial: The initial state.
    ///   - rules: Decide which actions are executed, and when. All of them are asked.
    ///   - middleware: Wraps the reduction of each action, the outermost first.
    ///   - isolation: The actor on which results are dispatched, and all states are delivered.
    public convenience init(
        initial: State,
        rules: [any Rule<State>] = [],
        middleware: [Middleware<State, Action>] = [],
        isolation: isolated (any Actor)? = #isolation
    ) where Action == any SelfReducing<State> {
        let executions = Executions(rules)
        self.init(
            initial: initial, reducer: { $1.reduce(&$0) }, middleware: middleware,
            effects: { action, _ in executions.effect(of: action) }, isolation: isolation)
        executions.gate = pending.gate
    }
}
