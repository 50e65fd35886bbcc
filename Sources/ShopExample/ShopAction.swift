enum ShopAction: Codable, Equatable, Sendable {
    case catalog(CatalogAction)
    case cart(CartAction)
    case account(AccountAction)
    case checkout(CheckoutAction)
}

enum CatalogAction: Codable, Equatable, Sendable {
    case typed(text: String)
    case found(products: [Product])
    case scrolled(row: Int)
    case opened(id: String)
    case closed
}

enum CartAction: Codable, Equatable, Sendable {
    case added(product: Product)
    case more(id: String)
    case less(id: String)
    case couponEntered(code: String)
    case couponAccepted(coupon: Cart.Coupon)
    case couponRefused(code: String)
}

enum AccountAction: Codable, Equatable, Sendable {
    case logIn(name: String)
    case loggedIn(name: String)
    case cartLoaded(cart: Cart)
}

enum CheckoutAction: Codable, Equatable, Sendable {
    case begun
    case shipTo(city: String)
    case pay
    case paid(cents: Int)
}
