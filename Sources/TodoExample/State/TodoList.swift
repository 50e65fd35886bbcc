/// A list of todos; a tab on the screen.
struct TodoList: Codable, Equatable, Sendable, Identifiable {
    let id: String
    var name: String
    var todos: [Todo] = []

    /// What a new user finds.
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
