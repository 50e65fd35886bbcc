import StateTape
import StateTapeStore

// recipe: Flux store
@MainActor final class CountModel {
    let store: Store<AppState, AppAction>
    private let registration: Subscription

    init(_ tape: Recorder, _ dispatcher: Dispatcher<AppAction>) {
        store = Store(initial: AppState(), reducer: appReducer).taped(by: tape, through: dispatcher, name: "count")
        registration = dispatcher.register(store)
    }
}
// end

@MainActor func fluxRecipe(_ tape: Recorder) -> Recipe {
    // recipe: Flux
    let dispatcher = Dispatcher<AppAction>().taped(by: tape)
    // end
    let models = [CountModel(tape, dispatcher), CountModel(tape, dispatcher)]
    return Recipe { withExtendedLifetime(models) { dispatcher.dispatch(.add(3)) } }
}
