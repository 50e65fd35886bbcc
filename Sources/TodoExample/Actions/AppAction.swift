/// All actions, by domain; an action's type on the tape is, for example, `todos/add`.
///
/// An action contains all inputs of its reducer, including dates and new identifiers.
enum AppAction: Codable, Equatable, Sendable {
    case todos(TodosAction)
    case lists(ListsAction)
    case filter(FilterAction)
    case sync(SyncAction)
    case history(HistoryAction)
}

enum FilterAction: Codable, Equatable, Sendable {
    case set(to: Filter)
}

enum HistoryAction: Codable, Equatable, Sendable {
    case undo
}
