import StateTape

/// The store is an actor of its own, so nothing here belongs to the main actor.
nonisolated enum ActorRecipe {
    nonisolated struct AppState: Codable, Sendable { var count = 0 }
    nonisolated enum AppAction: Codable, Sendable { case add(Int) }

    static func appReducer(_ state: inout AppState, _ action: AppAction) {
        switch action {
        case .add(let number): state.count += number
        }
    }

    // recipe: actor
    actor AppStore: TapedActor {
        var state: AppState
        private let track: Track<AppState, AppAction>

        init(_ tape: Recorder) {
            track = tape.track(AppState(), AppAction.self)
            state = track.start
            track.attach(self)
        }

        func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {
            track.record(action, in: self, fileID: fileID, line: line) { appReducer(&$0, action) }
        }
    }
    // end

    static func start(_ tape: Recorder) -> Recipe {
        let store = AppStore(tape)
        return Recipe { Task { await store.send(.add(3)) } }
    }
}
