struct CartState: Codable { var count: Int }
enum CartAction: Codable { case add }

func reduce(state: CartState, action: CartAction) -> CartState { CartState(count: state.count + 1) }

@MainActor final class Cart {
    private(set) var state: CartState
    private let log: (String) -> Void

    init(count: Int, log: @escaping (String) -> Void) {
        self.state = CartState(count: count)
        self.log = log
    }

    func dispatch(action: CartAction) {
        state = reduce(state: state, action: action)
        log("\(state)")
    }
}
