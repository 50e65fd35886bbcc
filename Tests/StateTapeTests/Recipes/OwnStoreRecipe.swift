import StateTape
import StateTapeStore

func ownStoreRecipe(_ tape: Recorder) -> Recipe {
    // recipe: own store
    let track = tape.track(AppState(), AppAction.self)
    let store = Store(initial: track.start, reducer: appReducer, middleware: [track.middleware])
    track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
    // end
    return Recipe { store.dispatch(.add(3)) }
}

func ownEffectsRecipe(_ tape: Recorder) -> Recipe {
    let effects = EffectCount()
    let track = tape.track(AppState(), AppAction.self)
    let appEffects: (AppAction, AppState) -> Effect<AppAction>? = { _, _ in
        let dispatches = effects.dispatching > 0
        effects.start()
        return dispatches ? Effect { dispatch in await dispatch(.add(3)) } : nil
    }
    // recipe: own store effects
    let store = Store(
        initial: track.start, reducer: appReducer, middleware: [track.middleware],
        effects: track.effects(appEffects))
    // end
    track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
    return Recipe(effects) { store.dispatch(.add(3)) }
}
