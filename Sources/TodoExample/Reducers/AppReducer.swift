/// The app's reducer, which calls those of the domains.
func reduce(_ state: inout AppState, _ action: AppAction) {
    switch action {
    case .todos(let action): reduceTodos(&state, action)
    case .lists(let action): reduceLists(&state, action)
    case .filter(.set(let filter)): state.filter = filter
    case .sync(let action): reduceSync(&state, action)
    case .history(.undo): undo(&state)
    }
}
