import StateTapeStore

/// Which requests an action starts.
func shopEffects(_ server: ShopServer) -> (ShopAction, ShopState) -> Effect<ShopAction>? {
    { action, state in
        switch action {
        case .catalog(.typed(let text)):
            Effect(id: "search") { dispatch in
                await dispatch(.catalog(.found(products: await server.products(matching: text))))
            }
        case .cart(.couponEntered(let code)):
            Effect { dispatch in
                if let coupon = await server.coupon(code) {
                    await dispatch(.cart(.couponAccepted(coupon: coupon)))
                } else {
                    await dispatch(.cart(.couponRefused(code: code)))
                }
            }
        case .account(.logIn(let name)):
            Effect { dispatch in await dispatch(.account(.loggedIn(name: await server.logIn(name)))) }
        case .account(.loggedIn):
            Effect { dispatch in await dispatch(.account(.cartLoaded(cart: await server.savedCart()))) }
        case .checkout(.pay):
            Effect { dispatch in await dispatch(.checkout(.paid(cents: await server.charge(state.cart.totalCents)))) }
        case .catalog, .cart, .account, .checkout: nil
        }
    }
}
