import StateTape
import StateTapeStore
import Testing

@MainActor func fluxArticle(_ tape: Recorder) {
    // snippet
    protocol AppAction: Codable, Sendable {}
    struct AddItem: AppAction { var price: Int }
    struct CheckOut: AppAction {}

    struct Cart: Codable, Equatable { var total = 0 }

    func reduceCart(_ cart: inout Cart, _ action: any AppAction) {
        if let item = action as? AddItem { cart.total += item.price }
    }
    // end
    // snippet
    let dispatcher = Dispatcher<any AppAction>().taped(by: tape)

    let cart = Store(initial: Cart(), reducer: reduceCart)
        .taped(by: tape, decoding: [AddItem.self, CheckOut.self], through: dispatcher, name: "cart")
    let cartRegistration = dispatcher.register(cart, for: AddItem.self, CheckOut.self)
    // end
    // snippet
    enum OrderAction: Codable { case order(total: Int) }

    let orders = Store<[Int], OrderAction>(
        initial: [], reducer: { orders, action in if case .order(let total) = action { orders.append(total) } }
    ).taped(by: tape, name: "orders")
    let orderRegistration = dispatcher.register(name: "orders") { [unowned dispatcher] action in
        try dispatcher.waitFor(cartRegistration)
        if action is CheckOut { orders.dispatch(.order(total: cart.state.total)) }
    }
    // end
    dispatcher.dispatch(AddItem(price: 3))
    dispatcher.dispatch(CheckOut())
    #expect(orders.state == [3])
    withExtendedLifetime(orderRegistration) {}
    // snippet
    let settings = SharedStore {
        let store = Store(initial: Cart(), reducer: reduceCart)
        store.hold(dispatcher.register(store))
        return store
    }
    let held = settings.current
    // end
    #expect(held === settings.current)
    // snippet
    let tested = Store(initial: Cart(), reducer: reduceCart)
    let test = Dispatcher<any AppAction>()
    let registration = test.register(tested)
    test.dispatch(AddItem(price: 2))
    #expect(tested.state.total == 2)
    // end
    withExtendedLifetime(registration) {}
}
