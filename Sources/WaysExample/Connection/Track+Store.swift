import StateTape
import StateTapeStore

extension Track {
    /// Lets the page apply states to a store, and dispatch actions to it.
    @MainActor func connect(to store: Store<State, Action>) {
        connect(
            state: { [weak store] in store?.state }, dispatch: { [weak store] in store?.dispatch($0) },
            play: { [weak store] in store?.replace($0) })
    }
}
