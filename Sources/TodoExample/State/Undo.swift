/// The steps that undo one action: the changed values from before it.
struct Undo: Codable, Equatable, Sendable {
    enum Step: Codable, Equatable, Sendable {
        /// Restores a todo; inserts it at its index if it was removed.
        case todo(Todo, index: Int, list: String)
        case withoutTodo(id: String)
        /// Restores a list; inserts it at its index if it was removed.
        case list(TodoList, index: Int)
        /// Removes a list, and opens the list that was open before.
        case withoutList(id: String, open: String)
        case name(list: String, name: String)
    }

    /// The name of the undone change, for the screen.
    var title: String
    var steps: [Step]

    /// The maximum number of actions that can be undone.
    static let limit = 20
}
