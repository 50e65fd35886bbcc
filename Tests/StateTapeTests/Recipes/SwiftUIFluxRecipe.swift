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
    struct Sent: SwiftUIFlux.Action {
        let action: any SwiftUIFlux.Action
        let origin: DispatchOrigin
    }
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
                            let sent = action as? Sent
                            let action = sent?.action ?? action
                            track.dispatch(from: sent?.origin) {
                                let isEarly = action is any SwiftUIFlux.AsyncAction && track.isHeld
                                next(isEarly ? Held(action: action) : action)
                            }
                        }
                    }
                }
            ], state: track.start)
        func send(_ action: any SwiftUIFlux.Action, fileID: StaticString = #fileID, line: UInt = #line) {
            store.dispatch(action: Sent(action: action, origin: DispatchOrigin(fileID: fileID, line: line)))
        }
        track.connect(state: { store.state }, dispatch: { send($0) }, play: { store.state = $0 })
        // end
        return Recipe {
            send(Add(number: 3))
        } later: {
            send(Load())
        }
    }
}
