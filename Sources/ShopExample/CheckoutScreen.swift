import StateTape
import StateTapeStore

/// From the login to the receipt.
@MainActor struct CheckoutScreen {
    let app: ShopApp

    func logIn(_ name: String) async {
        app.store.dispatch(.account(.logIn(name: name)))
        await app.reaches { $0.checkout.step == .address }
        await app.pause(1_500)
    }

    func ship(to city: String) async {
        app.store.dispatch(.checkout(.shipTo(city: city)))
        await app.pause(1_300)
    }

    func pay() async {
        app.store.dispatch(.checkout(.pay))
        await app.reaches { $0.checkout.step == .paid }
        await app.pause(2_500)
    }

    /// What the visitor writes in *Report a problem*.
    func report(_ text: String) {
        app.recorder.note(text)
    }
}
