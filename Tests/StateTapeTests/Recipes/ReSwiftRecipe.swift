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

    // recipe: ReSwift sent
    struct Sent: ReSwift.Action {
        let action: any ReSwift.Action
        let origin: DispatchOrigin
    }
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
        func send(_ action: any ReSwift.Action, fileID: StaticString = #fileID, line: UInt = #line) {
            store.dispatch(Sent(action: action, origin: DispatchOrigin(fileID: fileID, line: line)))
        }
        track.connect(state: { store.state }, dispatch: { send($0) }, play: { store.dispatch(Play(state: $0)) })
        // end
        // recipe: ReSwift taped
        let taped: ReSwift.Middleware<AppState> = { _, _ in
            { next in
                { action in
                    let sent = action as? Sent
                    track.dispatch(from: sent?.origin) { next(sent?.action ?? action) }
                }
            }
        }
        // end
        // recipe: ReSwift thunks
        let thunks: ReSwift.Middleware<AppState> = { dispatch, getState in
            { next in
                { action in
                    let sent = (action as? Sent)?.action ?? action
                    guard let thunk = sent as? Thunk, !track.isHeld else { return next(action) }
                    thunk.body(dispatch, getState())
                }
            }
        }
        // end
        let effects = EffectCount()
        let startEffects: (any ReSwift.Action) -> Void = { action in
            if action is Add { effects.start { send(Add(number: 3)) } }
        }
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
        store.middleware = [thunks, taped, starter]
        return Recipe(effects) {
            send(Add(number: 3))
        } later: {
            send(Thunk { dispatch, _ in dispatch(Add(number: 10)) })
        }
    }
}
