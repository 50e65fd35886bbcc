import Foundation

enum TodosAction: Codable, Equatable, Sendable {
    case add(todo: Todo, list: String)
    case done(id: String, at: Date)
    case reopen(id: String)
    case rename(id: String, title: String)
    case tag(id: String, tags: [String])
    case untag(id: String, tags: [String])
    case due(id: String, day: Day?)
    case move(id: String, list: String)
    case remove(id: String)
    /// Removes the completed todos of a list.
    case clear(list: String)
}
