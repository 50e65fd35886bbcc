/// How to take one action back: the little that it changed, as it was before.
struct Undo: Codable, Equatable, Sendable {
    enum Step: Codable, Equatable, Sendable {
        /// Puts a todo back as it was, to its place if it is gone.
        case todo(Todo, index: Int, list: String)
        case withoutTodo(id: String)
        /// Puts a list back as it was, to its place if it is gone.
        case list(TodoList, index: Int)
        /// Removes a list, and opens the one that was open before it was made.
        case withoutList(id: String, open: String)
        case name(list: String, name: String)
    }

    /// What is taken back, for the screen.
    var title: String
    var steps: [Step]

    /// How many actions can be taken back.
    static let limit = 20
}
