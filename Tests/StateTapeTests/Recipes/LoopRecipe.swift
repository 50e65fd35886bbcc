import StateTape
import StateTapeStore

/// The loop blocks the main actor, so nothing here belongs to it.
nonisolated enum LoopRecipe {
    nonisolated struct AppState: Codable, Sendable { var count = 0 }
    nonisolated enum AppAction: Codable, Sendable { case add(Int) }

    static func reduce(state: AppState, action: AppAction) -> AppState {
        switch action {
        case .add(let number): AppState(count: state.count + number)
        }
    }

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: loop
        let store = Store(initial: AppState(), reducer: { $0 = reduce(state: $0, action: $1) })
            .taped(by: tape, isolation: nil)
        // end
        return Recipe { store.dispatch(.add(3)) }
    }
}
