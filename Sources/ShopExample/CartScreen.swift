import StateTapeStore

/// The cart, its coupon and the way to pay for it.
@MainActor struct CartScreen {
    let app: ShopApp

    func more(_ id: String) async {
        app.store.dispatch(.cart(.more(id: id)))
        await app.pause(450)
    }

    func less(_ id: String) async {
        app.store.dispatch(.cart(.less(id: id)))
        await app.pause(450)
    }

    func enter(coupon code: String) async {
        app.store.dispatch(.cart(.couponEntered(code: code)))
        await app.reaches { !$0.cart.isCheckingCoupon }
        await app.pause(1_800)
    }

    func checkOut() async {
        app.store.dispatch(.checkout(.begun))
        await app.pause(1_100)
    }
}
