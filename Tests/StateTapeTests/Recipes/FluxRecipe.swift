import StateTape
import StateTapeStore

// recipe: Flux store
@MainActor final class CountModel {
    let store: Store<AppState, AppAction>
    private let registration: Subscription

    init(_ tape: Recorder, _ dispatcher: Dispatcher<AppAction>) {
        let track = tape.track(AppState(), AppAction.self, name: "count")
        let store = Store(initial: track.start, reducer: appReducer, middleware: [track.middleware])
        track.connect(
            state: { [weak store] in store?.state }, dispatch: { dispatcher.dispatch($0) },
            play: { [weak store] in store?.replace($0) })
        self.store = store
        registration = dispatcher.register(store)
    }
}
// end

@MainActor func fluxRecipe(_ tape: Recorder) -> Recipe {
    // recipe: Flux
    let dispatcher = Dispatcher<AppAction>(middleware: [{ next in { action in tape.dispatch { next(action) } } }])
    // end
    let models = [CountModel(tape, dispatcher), CountModel(tape, dispatcher)]
    return Recipe { withExtendedLifetime(models) { dispatcher.dispatch(.add(3)) } }
}
