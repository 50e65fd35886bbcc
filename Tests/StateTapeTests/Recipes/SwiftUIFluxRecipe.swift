import StateTape

enum SwiftUIFluxRecipe {
    struct AppState: SwiftUIFlux.FluxState, Codable { var count = 0 }
    struct Add: SwiftUIFlux.Action, Codable { var number: Int }

    static func appReducer(state: AppState, action: any SwiftUIFlux.Action) -> AppState {
        var next = state
        if let add = action as? Add { next.count += add.number }
        return next
    }

    struct Load: SwiftUIFlux.AsyncAction {
        func execute(state: (any SwiftUIFlux.FluxState)?, dispatch: @escaping SwiftUIFlux.DispatchFunction) {
            dispatch(Add(number: 10))
        }
    }

    // recipe: SwiftUIFlux action
    struct Taped: SwiftUIFlux.Action, TapedEnvelope {
        let content: TapedAction<AppState, any SwiftUIFlux.Action>
    }
    // end

    @MainActor static func start(_ tape: Recorder) -> Recipe {
        // recipe: SwiftUIFlux
        let track = tape.track(AppState(), (any SwiftUIFlux.Action).self, decoding: [Add.self])
        let store = SwiftUIFlux.Store<AppState>(
            reducer: { state, action in track.reduce(state, action, Taped.self) { appReducer(state: $0, action: $1) } },
            middleware: [track.middleware(Taped.self, holding: { $0 is any SwiftUIFlux.AsyncAction })],
            state: track.start)
        track.connect(
            state: { store.state }, dispatch: { store.dispatch(action: Taped.send($0)) }, play: { store.state = $0 })
        // end
        return Recipe {
            store.dispatch(action: Taped.send(Add(number: 3)))
        } later: {
            store.dispatch(action: Taped.send(Load()))
        }
    }
}
