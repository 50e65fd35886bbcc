/// A list of todos, shown as a tab.
struct TodoList: Codable, Equatable, Sendable, Identifiable {
    let id: String
    var name: String
    var todos: [Todo] = []

    /// The lists of a new user.
    static let first = [
        TodoList(
            id: "inbox", name: "Inbox",
            todos: [
                Todo(id: "t1", title: "Type help and press return", tags: ["start"]),
                Todo(id: "t2", title: "Add something to do", tags: ["start"]),
            ]),
        TodoList(id: "work", name: "Work", todos: [Todo(id: "t3", title: "Read the release notes", tags: ["docs"])]),
    ]
}
