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
    struct Held: SwiftUIFlux.Action { let action: any SwiftUIFlux.Action }
    // end

    @MainActor static func start(_ tape: Recorder) -> Recipe {
        // recipe: SwiftUIFlux
        let track = tape.track(AppState(), (any SwiftUIFlux.Action).self, decoding: [Add.self])
        let store = SwiftUIFlux.Store<AppState>(
            reducer: { state, action in
                let action = (action as? Held)?.action ?? action
                var next = state
                track.record(action, &next) { $0 = appReducer(state: $0, action: action) }
                return next
            },
            middleware: [
                { _, _ in
                    { next in
                        { action in
                            let isEarly = action is any SwiftUIFlux.AsyncAction && track.isHeld
                            next(isEarly ? Held(action: action) : action)
                        }
                    }
                }
            ], state: track.start)
        track.connect(state: { store.state }, dispatch: { store.dispatch(action: $0) }, play: { store.state = $0 })
        // end
        return Recipe {
            store.dispatch(action: Add(number: 3))
        } later: {
            store.dispatch(action: Load())
        }
    }
}
