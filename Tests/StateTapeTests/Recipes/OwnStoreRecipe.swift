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
