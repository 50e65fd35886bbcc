/// The state of the shop. Amounts are in cents.
struct ShopState: Codable, Equatable, Sendable {
    var catalog = Catalog()
    var cart = Cart()
    var account = Account()
    var checkout = Checkout()
}

struct Product: Codable, Equatable, Sendable {
    let id: String
    let name: String
    let cents: Int
}

struct Catalog: Codable, Equatable, Sendable {
    var query = ""
    var isSearching = false
    var found: [Product] = []
    /// The first row on the screen.
    var firstRow = 0
    var opened: String?
}

struct Account: Codable, Equatable, Sendable {
    var name: String?
    var isLoggingIn = false
}

struct Checkout: Codable, Equatable, Sendable {
    enum Step: String, Codable { case none, login, address, payment, paying, paid }

    var step = Step.none
    var city: String?
    var paidCents: Int?
}
