func reduceLists(_ state: inout AppState, _ action: ListsAction) {
    switch action {
    case .add(let id, let name):
        guard !state.lists.contains(where: { $0.id == id }) else { return }
        state.lists.append(TodoList(id: id, name: name))
        state.lastID += 1
        state.remember("list \(name)", .withoutList(id: id, open: state.selectedList))
        state.selectedList = id
    case .select(let id):
        guard state.lists.contains(where: { $0.id == id }) else { return }
        state.selectedList = id
    case .rename(let id, let name):
        guard let index = state.lists.firstIndex(where: { $0.id == id }), state.lists[index].name != name else {
            return
        }
        state.remember("rename \(state.lists[index].name)", .name(list: id, name: state.lists[index].name))
        state.lists[index].name = name
    case .remove(let id):
        // The app always needs at least one list.
        guard state.lists.count > 1, let index = state.lists.firstIndex(where: { $0.id == id }) else { return }
        let list = state.lists.remove(at: index)
        if state.selectedList == id { state.selectedList = state.lists[max(0, index - 1)].id }
        state.remember("remove \(list.name)", .list(list, index: index))
    }
}
