/// Runs several reducers for each action, the first one first.
///
/// ```swift
/// var reduce: Reducer<AppState, AppAction> {
///     combine(scope(\.todos, reduceTodos), scope(\.filter, reduceFilter), reduceAll)
/// }
/// ```
public func combine<State, Action>(_ reducers: Reducer<State, Action>...) -> Reducer<State, Action> {
    { state, action in
        for reducer in reducers { reducer(&state, action) }
    }
}

/// Makes a reducer of the whole state from the reducer of a part.
///
/// - Parameters:
///   - part: The part, which is changed in place.
///   - reducer: Changes the part for an action.
public func scope<State, Part, Action>(
    _ part: WritableKeyPath<State, Part>, _ reducer: @escaping Reducer<Part, Action>
) -> Reducer<State, Action> {
    { state, action in reducer(&state[keyPath: part], action) }
}

/// Makes a reducer of the whole state from the reducer of a part that has actions of its own.
///
/// ```swift
/// var reduce: Reducer<AppState, AppAction> { scope(\.todos, action: \.todo, reduceTodos) }
///
/// extension AppAction {
///     var todo: TodoAction? { if case .todo(let action) = self { action } else { nil } }
/// }
/// ```
///
/// - Parameters:
///   - part: The part, which is changed in place.
///   - partAction: Returns the part's action in an action; nil if there is none. Then the part doesn't change.
///   - reducer: Changes the part for one of its actions.
public func scope<State, Part, Action, PartAction>(
    _ part: WritableKeyPath<State, Part>, action partAction: @escaping (Action) -> PartAction?,
    _ reducer: @escaping Reducer<Part, PartAction>
) -> Reducer<State, Action> {
    { state, action in
        if let action = partAction(action) { reducer(&state[keyPath: part], action) }
    }
}
