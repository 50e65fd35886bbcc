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

    // recipe: Puredux action
    nonisolated enum Taped: Sendable { case app(AppAction, DispatchOrigin), play(AppState) }
    // end

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: Puredux
        let track = tape.track(AppState(), AppAction.self)
        let root = StateStore<AppState, Taped>(track.start) { @Sendable state, action in
            switch action {
            case .app(let action, let origin):
                track.dispatch(from: origin) { track.record(action, &state) { appReducer(&$0, action) } }
            case .play(let played): state = played
            }
        }
        @Sendable func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {
            root.dispatch(.app(action, DispatchOrigin(fileID: fileID, line: line)))
        }
        let store = root.map(actions: { (action: AppAction) in Taped.app(action, .current) })
        track.connect(dispatch: { send($0) }, play: { root.dispatch(.play($0)) })
        // end
        return Recipe { withExtendedLifetime(store) { send(.add(3)) } }
    }
}
