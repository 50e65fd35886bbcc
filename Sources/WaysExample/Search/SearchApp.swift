import Foundation
import StateTape
import StateTapeStore

/// A search whose route is state, and whose history is there again at the next launch.
@MainActor final class SearchApp {
    let store: Store<SearchState, SearchAction>
    let history: History<SearchState, SearchAction>
    private let file: URL?
    private let router: Router<SearchScreen>

    /// - Parameters:
    ///   - file: Where the history is kept; nil keeps none.
    ///   - navigate: Performs a step in the navigation stack.
    /// - Throws: An error if the file can't be read.
    init(_ recorder: Recorder, file: URL?, navigate: @escaping (RouteStep<SearchScreen>) -> Void) throws {
        let kept = try file.flatMap { try History(contentsOf: $0, reducer: reduceSearch, limit: 100) }
        let history = kept ?? History(initial: SearchState(), reducer: reduceSearch, limit: 100)
        let start = history.start
        store = Store(
            initial: start, reducer: reduceSearch, middleware: [history.middleware], effects: Self.effect
        ).taped(by: recorder)
        history.connect(store)
        // A state that the page chose is the beginning of another history.
        if store.state != start { history.clear() }
        router = Router(store, { $0.route }, perform: navigate)
        (self.history, self.file) = (history, file)
    }

    /// Goes back to the state before the last action, unless someone looks at another state.
    func stepBack() {
        if store.gate.isOpen { history.stepBack() }
    }

    /// Keeps the history for the next launch.
    func save() throws {
        if let file { try history.save(to: file) }
    }

    /// Waits for a state.
    func reaches(_ holds: (SearchState) -> Bool) async {
        for await state in store.states where holds(state) { return }
    }

    private static func effect(of action: SearchAction, _ state: SearchState) -> Effect<SearchAction>? {
        switch action {
        case .search(let text):
            Effect(id: "search") { dispatch in
                await dispatch(.found(items: await SearchServer.items(matching: text)))
            }
        case .back: state.isSearching ? nil : .cancel("search")
        case .found, .open: nil
        }
    }
}
