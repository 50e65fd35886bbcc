import StateTapeStore

/// Where the visitor looks for products.
@MainActor struct CatalogScreen {
    let app: ShopApp

    /// Types letter by letter. Each letter starts a search, and ends the one before.
    func search(_ text: String) async {
        for end in text.indices {
            app.store.dispatch(.catalog(.typed(text: String(text[...end]))))
            if end != text.indices.last { await app.pause(130) }
        }
        await app.reaches { !$0.catalog.isSearching }
        await app.pause(700)
    }

    func scroll(to last: Int) async {
        let first = app.store.state.catalog.firstRow
        for row in stride(from: first, to: last, by: first < last ? 1 : -1) {
            app.store.dispatch(.catalog(.scrolled(row: row + (first < last ? 1 : -1))))
            await app.pause(60)
        }
        await app.pause(900)
    }

    func look(at id: String) async {
        app.store.dispatch(.catalog(.opened(id: id)))
        await app.pause(1_600)
        app.store.dispatch(.catalog(.closed))
        await app.pause(500)
    }

    func buy(_ id: String) async {
        app.store.dispatch(.catalog(.opened(id: id)))
        await app.pause(1_200)
        for product in app.store.state.catalog.found where product.id == id {
            app.store.dispatch(.cart(.added(product: product)))
        }
        await app.pause(400)
        app.store.dispatch(.catalog(.closed))
        await app.pause(600)
    }
}
