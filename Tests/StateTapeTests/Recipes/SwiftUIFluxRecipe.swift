import StateTape

enum SwiftUIFluxRecipe {
    struct AppState: SwiftUIFlux.FluxState, Codable { var count = 0 }
    struct Add: SwiftUIFlux.Action, Codable { var number: Int }

    static func appReducer(state: AppState, action: any SwiftUIFlux.Action) -> AppState {
        var next = state
        if let add = action as? Add { next.count += add.number }
        return next
    }

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: SwiftUIFlux
        let track = tape.track(AppState(), (any SwiftUIFlux.Action).self, decoding: [Add.self])
        let store = SwiftUIFlux.Store<AppState>(
            reducer: { state, action in
                var next = state
                track.record(action, &next) { $0 = appReducer(state: $0, action: action) }
                return next
            }, state: track.start)
        track.connect(state: { store.state }, dispatch: { store.dispatch(action: $0) }, play: { store.state = $0 })
        // end
        return Recipe { store.dispatch(action: Add(number: 3)) }
    }
}
