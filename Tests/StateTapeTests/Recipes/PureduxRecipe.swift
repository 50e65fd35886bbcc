import StateTape

/// Puredux reduces on its own queue, so nothing here belongs to the main actor.
nonisolated enum PureduxRecipe {
    nonisolated struct AppState: Codable, Sendable { var count = 0 }
    nonisolated enum AppAction: Codable, Sendable { case add(Int) }

    static func appReducer(_ state: inout AppState, _ action: AppAction) {
        switch action {
        case .add(let number): state.count += number
        }
    }

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: Puredux
        let track = tape.track(AppState(), AppAction.self)
        let root = StateStore<AppState, TapedAction<AppState, AppAction>>(track.start) { @Sendable state, action in
            track.reduce(&state, action, appReducer)
        }
        let store = root.map(actions: { (action: AppAction) in .action(action, .current) })
        track.connect(send: { root.dispatch($0) })
        // end
        return Recipe { withExtendedLifetime(store) { root.dispatch(.send(.add(3))) } }
    }
}
