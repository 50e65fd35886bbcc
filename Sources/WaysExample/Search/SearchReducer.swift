@Sendable func reduceSearch(_ state: inout SearchState, _ action: SearchAction) {
    switch action {
    case .search(let text):
        state.route = [.query, .results(of: text)]
        state.isSearching = true
        state.found = []
    case .found(let items):
        state.found = items
        state.isSearching = false
    case .open(let item): state.route.append(.item(name: item))
    case .back:
        if state.route.count > 1 { state.route.removeLast() }
        // The results are not awaited elsewhere.
        if state.route == [.query] { state.isSearching = false }
    }
}
