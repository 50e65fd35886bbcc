import StateTape
import StateTapeStore

struct Cart: Codable, Equatable, Sendable {
    var items: [String] = []
    var count = 0
}

enum CartAction: Codable, Sendable {
    case add(String)
    case clear
}

func reduceCart(_ cart: inout Cart, _ action: CartAction) {
    switch action {
    case .add(let item):
        cart.items.append(item)
        cart.count += 1
    case .clear: cart = Cart()
    }
}

/// The app's store, with the recorder that the app makes itself.
func makeStore(_ tape: Recorder) -> Store<Cart, CartAction> {
    Store(initial: Cart(), reducer: reduceCart).taped(by: tape)
}
