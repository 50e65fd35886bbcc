extension Dispatcher {
    /// Registers a store, with a weak reference.
    ///
    /// - Parameters:
    ///   - store: Receives all actions.
    ///   - name: The name in errors; the type of the store's state by default.
    /// - Returns: The registration, which ends when it is released.
    public func register<State>(_ store: Store<State, Action>, name: String? = nil) -> Subscription {
        register(store, name: name) { $0 }
    }

    /// Registers a store for some types of actions, with a weak reference.
    ///
    /// ```swift
    /// let dispatcher = Dispatcher<any AppAction>()
    /// let registration = dispatcher.register(cart, for: AddItem.self, RemoveItem.self)
    /// ```
    ///
    /// - Parameters:
    ///   - store: Receives the actions that have one of the types, or a subclass of one.
    ///   - types: The types. They may also be protocols, such as `(any CartAction).self`.
    ///   - name: The name in errors; the type of the store's state by default.
    /// - Returns: The registration, which ends when it is released.
    public func register<State, each Kind>(
        _ store: Store<State, Action>, for types: repeat (each Kind).Type, name: String? = nil
    ) -> Subscription {
        var tests: [(Action) -> Bool] = []
        for type in repeat each types { tests.append(Self.isOf(type)) }
        return register(store, name: name) { action in tests.contains { $0(action) } ? action : nil }
    }

    /// Registers a store that has actions of its own, with a weak reference.
    ///
    /// ```swift
    /// let registration = dispatcher.register(cart) { $0 as? any CartAction }
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - name: The name in errors; the type of the store's state by default.
    ///   - storeAction: Returns the store's action for an action, or nil if the store doesn't receive it.
    /// - Returns: The registration, which ends when it is released.
    public func register<State, StoreAction>(
        _ store: Store<State, StoreAction>, name: String? = nil,
        _ storeAction: @escaping (Action) -> StoreAction?
    ) -> Subscription {
        register(name: name ?? "\(State.self)") { [weak store, unowned self] action in
            if let store, let action = storeAction(action) { store.dispatch(action, from: callSite) }
        }
    }

    private static func isOf<Kind>(_ type: Kind.Type) -> (Action) -> Bool {
        { $0 is Kind }
    }
}
