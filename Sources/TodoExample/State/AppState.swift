/// Everything that the app knows. Plain synthesized `Codable`: a member with a default value may be added at any time,
/// and tapes of older builds still play.
struct AppState: Codable, Equatable, Sendable {
    var lists = TodoList.first
    var selectedList = TodoList.first[0].id
    var filter = Filter.all
    var sync = Sync()
    var history: [Undo] = []
    /// How many identifiers have been given out; the next todo or list takes the one after.
    var lastID = 3

    /// The list whose tab is open. A state that was played in may have none.
    var list: TodoList {
        lists.first { $0.id == selectedList } ?? lists.first ?? TodoList(id: selectedList, name: "Nothing")
    }

    /// The todos on the screen, in its order: what is open stands first.
    func visible(on today: Day) -> [Todo] {
        let shown = list.todos.filter { filter.lets($0, today) }
        return shown.filter { !$0.isDone } + shown.filter(\.isDone)
    }
}
