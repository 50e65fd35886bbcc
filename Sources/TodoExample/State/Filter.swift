/// The filter for the todos on the screen.
enum Filter: Codable, Equatable, Sendable {
    case all
    case open
    case done
    case overdue
    case tag(String)

    func lets(_ todo: Todo, _ today: Day) -> Bool {
        switch self {
        case .all: true
        case .open: !todo.isDone
        case .done: todo.isDone
        case .overdue: todo.isOverdue(today)
        case .tag(let tag): todo.tags.contains(tag)
        }
    }
}
