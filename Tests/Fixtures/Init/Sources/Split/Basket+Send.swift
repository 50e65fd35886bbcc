extension Basket {
    func send(_ action: BasketAction) {
        switch action {
        case .add(let item): state.items.append(item)
        case .clear: state.items = []
        }
    }
}
