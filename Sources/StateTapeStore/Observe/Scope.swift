/// A part of a store's state, with subscribers of its own.
///
/// ```swift
/// let cart = store.scope(\.cart)
/// let subscription = cart.subscribe(\.total) { print($0) }
/// ```
///
/// The store compares the part once for each state, however many subscribers the scope has. While the part doesn't
/// change, its subscribers cost nothing. Each call of `scope` makes another scope, so share one for the same part.
///
/// A subscription keeps its scope, but no scope keeps its store.
public final class Scope<Part: Equatable> {
    /// Receives the part each time that it changes.
    private let parts: Store<Part, Never>
    private let subscription: Subscription
    /// The scope that feeds this one; nil if the store does.
    private let outer: AnyObject?

    fileprivate init<State, Action>(
        of store: Store<State, Action>, in outer: AnyObject?, _ select: @escaping (State) -> Part
    ) {
        let parts = Store<Part, Never>(initial: select(store.state), reducer: { _, _ in })
        self.parts = parts
        self.outer = outer
        subscription = store.subscribe(select) { parts.replace($0) }
    }

    /// The current part. It has the rules of ``Store/state``.
    public var state: Part { parts.state }

    /// Calls a closure with the current part, and then each time that the part changes.
    ///
    /// - Parameter receive: Called like that of ``Store/subscribe(_:)``.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(_ receive: @escaping (Part) -> Void) -> Subscription {
        // During a dispatch, the initial part may reach the scope after its first subscriber, as a duplicate.
        subscribe({ $0 }, receive)
    }

    /// Calls a closure with a value of the current part, and then each time that the value changes.
    ///
    /// - Parameters:
    ///   - select: Returns the value of a part. It is called each time that the part changes and should be fast.
    ///   - receive: Called like that of ``Store/subscribe(_:)``, but only for a value that differs from the last one.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe<Value: Equatable>(
        _ select: @escaping (Part) -> Value, _ receive: @escaping (Value) -> Void
    ) -> Subscription {
        parts.subscribe(select) { [self] value in withExtendedLifetime(self) { receive(value) } }
    }

    /// A part of this part.
    ///
    /// - Parameter select: Returns the smaller part. It is called each time that this part changes and should be fast.
    public func scope<Value: Equatable>(_ select: @escaping (Part) -> Value) -> Scope<Value> {
        Scope<Value>(of: parts, in: self, select)
    }
}

extension Store {
    /// A part of the state, with subscribers of its own.
    ///
    /// - Parameter select: Returns the part of a state. It is called for each state and should be fast.
    public func scope<Part: Equatable>(_ select: @escaping (State) -> Part) -> Scope<Part> {
        Scope(of: self, in: nil, select)
    }
}

// Unchecked: all properties are constant, and may be used from any thread if the part may.
extension Scope: @unchecked Sendable where Part: Sendable {}
