/// The app's state. Its `Codable` is synthesized. After adding a member with a default value, states from tapes of older
/// builds can still be applied.
struct AppState: Codable, Equatable, Sendable {
    var lists = TodoList.first
    var selectedList = TodoList.first[0].id
    var filter = Filter.all
    var sync = Sync()
    var history: [Undo] = []
    /// The number of the last identifier; the next todo or list gets the following one.
    var lastID = 3

    /// The open list. An applied state may have no lists.
    var list: TodoList {
        lists.first { $0.id == selectedList } ?? lists.first ?? TodoList(id: selectedList, name: "Nothing")
    }

    /// The todos on the screen in order, open ones first.
    func visible(on today: Day) -> [Todo] {
        let shown = list.todos.filter { filter.lets($0, today) }
        return shown.filter { !$0.isDone } + shown.filter(\.isDone)
    }
}
