import Foundation

extension Command {
    /// The actions of a command: numbers become identifiers, and new todos and lists get an identifier.
    ///
    /// - Throws: `CommandError` if the state has no todo or list with this number or name.
    func actions(in state: AppState, at now: Date, today: Day) throws(CommandError) -> [AppAction] {
        let screen = NumberedTodos(todos: state.visible(on: today))
        switch self {
        case .add(let title, let tags, let due):
            let todo = Todo(id: "t\(state.lastID + 1)", title: title, tags: tags, due: due)
            return [.todos(.add(todo: todo, list: state.list.id))]
        case .done(let numbers):
            // Completed todos keep their date.
            return try screen.ids(numbers).filter { id in screen.todos.contains { $0.id == id && !$0.isDone } }
                .map { .todos(.done(id: $0, at: now)) }
        case .reopen(let numbers): return try screen.ids(numbers).map { .todos(.reopen(id: $0)) }
        case .rename(let number, let title): return [.todos(.rename(id: try screen.id(number), title: title))]
        case .tag(let number, let tags): return [.todos(.tag(id: try screen.id(number), tags: tags))]
        case .untag(let number, let tags): return [.todos(.untag(id: try screen.id(number), tags: tags))]
        case .due(let number, let day): return [.todos(.due(id: try screen.id(number), day: day))]
        case .move(let number, let name):
            let id = try screen.id(number)
            guard let list = state.list(named: name) else {
                throw CommandError(message: "No list “\(name)”. Create it with: list \(name)")
            }
            return [.todos(.move(id: id, list: list.id))]
        case .remove(let numbers): return try screen.ids(numbers).map { .todos(.remove(id: $0)) }
        case .clear: return [.todos(.clear(list: state.list.id))]
        case .undo:
            guard !state.history.isEmpty else { throw CommandError(message: "Nothing to undo") }
            return [.history(.undo)]
        case .list(let name):
            if let list = state.list(named: name) { return [.lists(.select(id: list.id))] }
            return [.lists(.add(id: "l\(state.lastID + 1)", name: name))]
        case .renameList(let name): return [.lists(.rename(id: state.list.id, name: name))]
        case .removeList:
            guard state.lists.count > 1 else { throw CommandError(message: "Can't remove the last list") }
            return [.lists(.remove(id: state.list.id))]
        case .filter(let filter): return [.filter(.set(to: filter))]
        case .sync: return [.sync(.started(round: state.sync.round + 1, at: now))]
        case .help, .quit: return []
        }
    }
}

/// The todos on the screen, in the order of their numbers.
private struct NumberedTodos {
    let todos: [Todo]

    func id(_ number: Int) throws(CommandError) -> String {
        guard todos.indices.contains(number - 1) else {
            throw CommandError(
                message: todos.isEmpty
                    ? "No todos on the screen. Add one with: add Buy milk"
                    : "No todo \(number) on the screen. Choose 1 to \(todos.count)")
        }
        return todos[number - 1].id
    }

    func ids(_ numbers: Numbers) throws(CommandError) -> [String] {
        guard case .these(let numbers) = numbers else { return todos.map(\.id) }
        var ids: [String] = []
        for number in numbers { ids.append(try id(number)) }
        return ids
    }
}

extension AppState {
    /// Finds a list by name, ignoring case.
    fileprivate func list(named name: String) -> TodoList? {
        lists.first { $0.name.lowercased() == name.lowercased() }
    }
}
