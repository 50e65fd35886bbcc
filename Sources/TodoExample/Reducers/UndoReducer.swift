/// Undoes the last action that changed a todo or a list.
func undo(_ state: inout AppState) {
    guard let last = state.history.popLast() else { return }
    for step in last.steps {
        switch step {
        case .todo(let todo, let index, let list):
            if let place = state.place(of: todo.id) {
                state.lists[place.list].todos[place.index] = todo
            } else if let list = state.lists.firstIndex(where: { $0.id == list }) {
                state.lists[list].todos.insert(todo, at: min(max(0, index), state.lists[list].todos.count))
            }
        case .withoutTodo(let id):
            guard let place = state.place(of: id) else { continue }
            state.lists[place.list].todos.remove(at: place.index)
        case .list(let list, let index):
            state.lists.insert(list, at: min(max(0, index), state.lists.count))
            state.selectedList = list.id
        case .withoutList(let id, let open):
            guard state.lists.count > 1, let index = state.lists.firstIndex(where: { $0.id == id }) else { continue }
            state.lists.remove(at: index)
            if state.selectedList == id { state.selectedList = open }
        case .name(let id, let name):
            guard let index = state.lists.firstIndex(where: { $0.id == id }) else { continue }
            state.lists[index].name = name
        }
    }
}

extension AppState {
    /// Stores the steps that undo an action.
    mutating func remember(_ title: String, _ steps: Undo.Step...) {
        remember(title, steps)
    }

    mutating func remember(_ title: String, _ steps: [Undo.Step]) {
        history.append(Undo(title: title, steps: steps))
        if history.count > Undo.limit { history.removeFirst() }
    }
}
