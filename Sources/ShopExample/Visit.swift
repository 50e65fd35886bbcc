import StateTapeStore

/// The visit that the recorded session shows: two things, a coupon, a login, and a price that is too high.
@MainActor struct Visit {
    let app: ShopApp

    func run() async {
        let catalog = CatalogScreen(app: app)
        let cart = CartScreen(app: app)
        let checkout = CheckoutScreen(app: app)

        await catalog.search("lamp")
        await catalog.scroll(to: 3)
        await catalog.look(at: "lamp-3")
        await catalog.scroll(to: 0)
        await catalog.buy("lamp-1")
        await catalog.search("tea")
        await catalog.scroll(to: 2)
        for id in ["tea-2", "tea-3"] { await catalog.look(at: id) }
        await catalog.buy("tea-1")
        for _ in 0..<3 { await cart.more("tea-1") }
        for _ in 0..<3 { await cart.less("tea-1") }
        await cart.enter(coupon: "SPRIGN20")
        await cart.enter(coupon: "SPRING20")

        await catalog.search("book")
        await catalog.look(at: "book-2")
        await catalog.search("floor lamp")
        await catalog.look(at: "lamp-2")
        await catalog.search("mug")
        await catalog.scroll(to: 1)
        await catalog.buy("mug-2")
        await cart.less("mug-2")
        for text in ["lamp s", "tea t", "large", "a"] {
            await catalog.search(text)
            await catalog.scroll(to: app.store.state.catalog.found.count)
            await catalog.scroll(to: 0)
        }
        for id in ["lamp-2", "lamp-4", "tea-3"] { await catalog.look(at: id) }

        await cart.checkOut()
        await checkout.logIn("Mia")
        await checkout.ship(to: "Turin")
        await checkout.pay()
        checkout.report("Report a problem: “I was charged €80.50. Where is my coupon?”")
    }
}
