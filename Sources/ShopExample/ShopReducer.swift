import StateTapeStore

/// The reducer of the whole state.
///
/// - Parameter isFixed: Without the fix, the shop has the bug that its recorded visit shows.
func shopReducer(isFixed: Bool) -> Reducer<ShopState, ShopAction> {
    { state, action in
        switch action {
        case .catalog(let action): reduceCatalog(&state.catalog, action)
        case .cart(let action): reduceCart(&state.cart, action)
        case .account(.cartLoaded(let saved)):
            addSaved(saved, to: &state.cart, isFixed: isFixed)
            if state.checkout.step == .login { state.checkout.step = .address }
        case .account(let action): reduceAccount(&state.account, action)
        case .checkout(let action): reduceCheckout(&state.checkout, action)
        }
        state.cart.updateTotal()
    }
}

/// Adds what the account has kept from another visit.
private func addSaved(_ saved: Cart, to cart: inout Cart, isFixed: Bool) {
    for line in saved.lines {
        cart.add(Product(id: line.id, name: line.name, cents: line.cents), count: line.count)
    }
    // The bug: a saved cart without a coupon takes away the one that was entered in this visit.
    cart.coupon = isFixed ? cart.coupon ?? saved.coupon : saved.coupon
}

private func reduceCatalog(_ catalog: inout Catalog, _ action: CatalogAction) {
    switch action {
    case .typed(let text):
        catalog.query = text
        catalog.isSearching = true
    case .found(let products):
        catalog.found = products
        catalog.isSearching = false
        catalog.firstRow = 0
    case .scrolled(let row): catalog.firstRow = row
    case .opened(let id): catalog.opened = id
    case .closed: catalog.opened = nil
    }
}

private func reduceCart(_ cart: inout Cart, _ action: CartAction) {
    switch action {
    case .added(let product): cart.add(product)
    case .more(let id): cart.change(id, by: 1)
    case .less(let id): cart.change(id, by: -1)
    case .couponEntered: cart.isCheckingCoupon = true
    case .couponAccepted(let coupon):
        cart.isCheckingCoupon = false
        cart.coupon = coupon
    case .couponRefused: cart.isCheckingCoupon = false
    }
}

private func reduceAccount(_ account: inout Account, _ action: AccountAction) {
    switch action {
    case .logIn: account.isLoggingIn = true
    case .loggedIn(let name):
        account.isLoggingIn = false
        account.name = name
    case .cartLoaded: break
    }
}

private func reduceCheckout(_ checkout: inout Checkout, _ action: CheckoutAction) {
    switch action {
    case .begun: checkout.step = .login
    case .shipTo(let city):
        checkout.city = city
        checkout.step = .payment
    case .pay: checkout.step = .paying
    case .paid(let cents):
        checkout.paidCents = cents
        checkout.step = .paid
    }
}
