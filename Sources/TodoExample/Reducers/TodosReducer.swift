func reduceTodos(_ state: inout AppState, _ action: TodosAction) {
    switch action {
    case .add(let todo, let list):
        guard let list = state.lists.firstIndex(where: { $0.id == list }), state.place(of: todo.id) == nil else {
            return
        }
        state.lists[list].todos.append(todo)
        state.lastID += 1
        state.remember("add \(todo.title)", .withoutTodo(id: todo.id))
    case .done(let id, let date):
        state.change(id, "done") { $0.done = date }
    case .reopen(let id):
        state.change(id, "reopen") { $0.done = nil }
    case .rename(let id, let title):
        state.change(id, "rename") { $0.title = title }
    case .tag(let id, let tags):
        state.change(id, "tag") { todo in todo.tags += tags.filter { !todo.tags.contains($0) } }
    case .untag(let id, let tags):
        state.change(id, "untag") { todo in todo.tags.removeAll { tags.contains($0) } }
    case .due(let id, let day):
        state.change(id, "due") { $0.due = day }
    case .move(let id, let list):
        guard let place = state.place(of: id), let to = state.lists.firstIndex(where: { $0.id == list }) else { return }
        let todo = state.lists[place.list].todos.remove(at: place.index)
        state.remember(
            "move \(todo.title)", .withoutTodo(id: id),
            .todo(todo, index: place.index, list: state.lists[place.list].id))
        state.lists[to].todos.append(todo)
    case .remove(let id):
        guard let place = state.place(of: id) else { return }
        let todo = state.lists[place.list].todos.remove(at: place.index)
        state.remember("remove \(todo.title)", .todo(todo, index: place.index, list: state.lists[place.list].id))
    case .clear(let list):
        guard let list = state.lists.firstIndex(where: { $0.id == list }) else { return }
        let done = state.lists[list].todos.enumerated().filter(\.element.isDone)
        state.lists[list].todos.removeAll(where: \.isDone)
        let steps = done.map { Undo.Step.todo($0.element, index: $0.offset, list: state.lists[list].id) }
        if !steps.isEmpty { state.remember("clear", steps) }
    }
}

extension AppState {
    /// The list and the index of a todo.
    func place(of id: String) -> (list: Int, index: Int)? {
        for (list, todos) in lists.map(\.todos).enumerated() {
            if let index = todos.firstIndex(where: { $0.id == id }) { return (list, index) }
        }
        return nil
    }

    /// Changes a todo if it exists; does nothing if the change has no effect.
    mutating func change(_ id: String, _ verb: String, _ body: (inout Todo) -> Void) {
        guard let (list, index) = place(of: id) else { return }
        let before = lists[list].todos[index]
        body(&lists[list].todos[index])
        guard lists[list].todos[index] != before else { return }
        remember("\(verb) \(before.title)", .todo(before, index: index, list: lists[list].id))
    }
}
