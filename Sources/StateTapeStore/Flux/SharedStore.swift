import Foundation

/// Provides one store to several features, and makes it when the first feature needs it.
///
/// The store lives as long as a feature holds it. The next feature gets a new store.
///
/// ```swift
/// let cart = SharedStore {
///     let store = Store(initial: Cart(), reducer: reduceCart)
///     store.hold(dispatcher.register(store))
///     return store
/// }
/// let store = cart.current
/// ```
public final class SharedStore<State, Action> {
    private let lock = NSLock()
    private let make: () -> Store<State, Action>
    private weak var made: Store<State, Action>?

    /// Creates a provider, without a store.
    ///
    /// - Parameter make: Makes a store, on the thread that asks for it. If two threads ask at once, it may make two
    ///   stores, and both threads get the same one.
    public init(_ make: @escaping () -> Store<State, Action>) {
        self.make = make
    }

    /// The store that a feature holds, or a new one.
    public var current: Store<State, Action> {
        if let store = lock.withLock({ made }) { return store }
        // Outside of the lock, because the closure is the app's.
        let store = make()
        return lock.withLock {
            if let made { return made }
            made = store
            return store
        }
    }
}

// Unchecked: the lock protects the reference, and `make` may be called on any thread if the store may be used there.
extension SharedStore: @unchecked Sendable where State: Sendable, Action: Sendable {}

extension Store {
    /// Keeps a subscription until the store is released, such as its registration with a dispatcher.
    public func hold(_ subscription: Subscription) {
        work.hold(subscription)
    }
}
