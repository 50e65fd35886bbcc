import StateTape
import StateTapeStore

/// The shop: its store, recorded, and its screens.
@MainActor final class ShopApp {
    let store: Store<ShopState, ShopAction>
    let recorder: Recorder
    let pause: Pause

    init(_ recorder: Recorder, isFixed: Bool = false, pause: Pause) {
        let track = recorder.track(ShopState(), ShopAction.self)
        store = Store(
            initial: track.start, reducer: shopReducer(isFixed: isFixed), middleware: [track.middleware],
            effects: track.effects(shopEffects(ShopServer(pause: pause))))
        (self.recorder, self.pause) = (recorder, pause)
        track.connect(
            state: { [weak store] in store?.state }, dispatch: { [weak store] in store?.dispatch($0) },
            play: { [weak store] in store?.replace($0) })
    }

    /// Waits for a state.
    func reaches(_ holds: (ShopState) -> Bool) async {
        for await state in store.states where holds(state) { return }
    }
}
