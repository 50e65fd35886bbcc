struct CartState: Codable { var count: Int }
enum CartAction: Codable { case add }

func reduce(_ state: inout CartState, _ action: CartAction) { state.count += 1 }

@MainActor final class Cart {
    private(set) var state: CartState
    private let log: (String) -> Void

    init(count: Int, log: @escaping (String) -> Void) {
        self.state = CartState(count: count)
        self.log = log
    }

    func dispatch(action: CartAction) {
        var next = state
        reduce(&next, action)
        state = next
        log("\(state)")
    }
}
