/// Everything that can happen, by domain: on the tape an action's type reads `todos/add`.
///
/// An action carries what its reducer needs, dates and new identifiers included.
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
