/// What all rules together decide about an action that is executed.
struct Plan<State> {
    var awaited: Set<ExecutionID> = []
    var cancelled: Set<ExecutionID> = []

    /// - Returns: Nil if a rule drops the action.
    init?(_ action: any SelfExecuting<State>, _ rules: [any Rule<State>], executing: [Execution<State>]) {
        for rule in rules {
            switch rule.decide(action, executing: executing) {
            case .run: break
            case .wait(let others): awaited.formUnion(others.map(\.id))
            case .cancel(let others): cancelled.formUnion(others.map(\.id))
            case .drop: return nil
            }
        }
    }
}
