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
    struct Play: ReSwift.Action { let state: AppState }
    // end

    // recipe: ReSwift thunk
    struct Thunk: ReSwift.Action { let body: (ReSwift.DispatchFunction, AppState?) -> Void }
    // end

    static func start(_ tape: Recorder) -> Recipe {
        // recipe: ReSwift
        let track = tape.track(AppState(), (any ReSwift.Action).self, decoding: [Add.self, Rename.self])
        let store = ReSwift.Store<AppState>(
            reducer: { action, state in
                if let play = action as? Play { return play.state }
                var next = state ?? track.start
                track.record(action, &next) { $0 = appReducer(action: action, state: $0) }
                return next
            }, state: track.start)
        track.connect(
            state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.dispatch(Play(state: $0)) })
        // end
        // recipe: ReSwift thunks
        let thunks: ReSwift.Middleware<AppState> = { dispatch, getState in
            { next in
                { action in
                    guard let thunk = action as? Thunk, !track.isHeld else { return next(action) }
                    thunk.body(dispatch, getState())
                }
            }
        }
        // end
        let effects = EffectCount()
        let startEffects: (any ReSwift.Action) -> Void = { action in if action is Add { effects.start() } }
        // recipe: ReSwift effects
        let starter: ReSwift.Middleware<AppState> = { dispatch, getState in
            { next in
                { action in
                    let isHeld = track.isHeld
                    next(action)
                    if !isHeld { startEffects(action) }
                }
            }
        }
        // end
        store.middleware = [thunks, starter]
        return Recipe(effects) {
            store.dispatch(Add(number: 3))
        } later: {
            store.dispatch(Thunk { dispatch, _ in dispatch(Add(number: 10)) })
        }
    }
}
