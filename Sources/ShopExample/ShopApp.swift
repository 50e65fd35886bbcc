import StateTape
import StateTapeStore

/// The shop: its store, recorded, and its screens.
@MainActor final class ShopApp {
    let store: Store<ShopState, ShopAction>
    let recorder: Recorder
    let pause: Pause

    init(_ recorder: Recorder, isFixed: Bool = false, pause: Pause) {
        store = Store(
            initial: ShopState(), reducer: shopReducer(isFixed: isFixed),
            effects: shopEffects(ShopServer(pause: pause))
        ).taped(by: recorder)
        (self.recorder, self.pause) = (recorder, pause)
    }

    /// Waits for a state.
    func reaches(_ holds: (ShopState) -> Bool) async {
        for await state in store.states where holds(state) { return }
    }
}
