/// A made-up server, which always gives the same answers.
struct ShopServer: Sendable {
    static let products = [
        ("lamp-1", "Desk lamp", 4_900), ("lamp-2", "Floor lamp", 12_900), ("lamp-3", "Clip lamp", 1_900),
        ("lamp-4", "Lamp shade", 1_450), ("tea-1", "Teapot", 2_700), ("tea-2", "Tea strainer", 650),
        ("tea-3", "Tea towel", 800), ("book-1", "Notebook", 450), ("book-2", "Bookend", 2_200),
        ("mug-1", "Mug", 900), ("mug-2", "Mug, large", 1_200),
    ].map { Product(id: $0.0, name: $0.1, cents: $0.2) }

    /// Each answer takes some time.
    let pause: Pause

    func products(matching text: String) async -> [Product] {
        await pause(340)
        return Self.products.filter { $0.name.lowercased().contains(text.lowercased()) }
    }

    func coupon(_ code: String) async -> Cart.Coupon? {
        await pause(280)
        return code == "SPRING20" ? Cart.Coupon(code: code, percent: 20) : nil
    }

    func logIn(_ name: String) async -> String {
        await pause(420)
        return name
    }

    /// The cart of the account's last visit.
    func savedCart() async -> Cart {
        await pause(310)
        var cart = Cart()
        for product in Self.products where product.id == "book-1" { cart.add(product) }
        cart.updateTotal()
        return cart
    }

    func charge(_ cents: Int) async -> Int {
        await pause(900)
        return cents
    }
}

/// Waits as a person or a network would.
struct Pause: Sendable {
    /// 1 is the speed of a person; 0 doesn't wait.
    let pace: Double

    // On the caller's actor, so that nothing else runs there if there is no wait.
    func callAsFunction(_ milliseconds: Double, isolation: isolated (any Actor)? = #isolation) async {
        if pace > 0 { try? await Task.sleep(for: .milliseconds(milliseconds * pace)) }
    }
}
