import StateTape
import StateTapeStore

func ownStoreRecipe(_ tape: Recorder) -> Recipe {
    // recipe: own store
    let store = Store(initial: AppState(), reducer: appReducer).taped(by: tape)
    // end
    return Recipe { store.dispatch(.add(3)) }
}

func ownEffectsRecipe(_ tape: Recorder) -> Recipe {
    let effects = EffectCount()
    let appEffects: (AppAction, AppState) -> Effect<AppAction>? = { _, _ in
        let dispatches = effects.dispatching > 0
        effects.start()
        return dispatches ? Effect { dispatch in await dispatch(.add(3)) } : nil
    }
    // recipe: own store effects
    let store = Store(initial: AppState(), reducer: appReducer, effects: appEffects).taped(by: tape)
    // end
    return Recipe(effects) { store.dispatch(.add(3)) }
}
