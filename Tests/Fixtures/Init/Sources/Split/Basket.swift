struct BasketState: Codable { var items: [String] = [] }
enum BasketAction: Codable { case add(String), clear }

@MainActor final class Basket {
    var state = BasketState()
}
