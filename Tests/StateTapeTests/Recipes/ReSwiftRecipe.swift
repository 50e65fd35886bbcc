import StateTape

enum ReSwiftRecipe {
    struct Add: ReSwift.Action, Codable { var number: Int }
    struct Rename: ReSwift.Action, Codable { var name: String }

    static func appReducer(action: any ReSwift.Action, state: AppState) -> AppState {
        var next = state
        switch action {
        case let add as Add: next.count += add.number
        case let rename as Rename: next.names.append(rename.name)
        default: break
        }
        return next
    }

    // recipe: ReSwift action
    struct Taped: ReSwift.Action, TapedEnvelope { let content: TapedAction<AppState, any ReSwift.Action> }
    // end

    // recipe: ReSwift thunk
    struct Thunk: ReSwift.Action { let body: (ReSwift.DispatchFunction, AppState?) -> Void }
    // end

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: ReSwift
        let track = tape.track(AppState(), (any ReSwift.Action).self, decoding: [Add.self, Rename.self])
        let store = ReSwift.Store<AppState>(
            reducer: { action, state in
                track.reduce(state ?? track.start, action, Taped.self) { appReducer(action: $1, state: $0) }
            }, state: track.start, middleware: [track.middleware(Taped.self)])
        track.connect(state: { store.state }, send: { store.dispatch(Taped(content: $0)) })
        // end
        let gate = track.gate
        // recipe: ReSwift thunks
        let thunks: ReSwift.Middleware<AppState> = { dispatch, getState in
            { next in
                { action in
                    guard let thunk = Taped.action(in: action) as? Thunk, gate.isOpen else { return next(action) }
                    thunk.body(dispatch, getState())
                }
            }
        }
        // end
        let effects = EffectCount()
        let startEffects: (any ReSwift.Action) -> Void = { action in
            if action is Add { effects.start { store.dispatch(Taped.send(Add(number: 3))) } }
        }
        // recipe: ReSwift effects
        let starter: ReSwift.Middleware<AppState> = { dispatch, getState in
            { next in
                { action in
                    gate.run {
                        next(action)
                    } effects: {
                        startEffects(action)
                    }
                }
            }
        }
        // end
        store.middleware = [thunks] + store.middleware + [starter]
        return Recipe(effects) {
            store.dispatch(Taped.send(Add(number: 3)))
        } later: {
            store.dispatch(Taped.send(Thunk { dispatch, _ in dispatch(Add(number: 10)) }))
        }
    }
}
