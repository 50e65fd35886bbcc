/// The whole app's reducer: each domain has its own file.
func reduce(_ state: inout AppState, _ action: AppAction) {
    switch action {
    case .todos(let action): reduceTodos(&state, action)
    case .lists(let action): reduceLists(&state, action)
    case .filter(.set(let filter)): state.filter = filter
    case .sync(let action): reduceSync(&state, action)
    case .history(.undo): undo(&state)
    }
}
