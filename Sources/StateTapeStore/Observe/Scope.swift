/// A part of a store's state, with subscribers of its own.
///
/// ```swift
/// let cart = store.scope(\.cart)
/// let subscription = cart.subscribe(\.total) { print($0) }
/// ```
///
/// The store compares the part once for each state, however many subscribers the scope has. While the part doesn't
/// change, its subscribers cost nothing. Each call of `scope` makes another scope. The store compares the part once for
/// all scopes of an equal key path, but for each scope of a closure, so share that.
///
/// A subscription keeps its scope, but no scope keeps its store.
public final class Scope<Part: Equatable> {
    /// Receives the part each time that it changes.
    private let parts: Store<Part, Never>
    private let subscription: Subscription
    /// The scope that feeds this one; nil if the store does.
    private let outer: AnyObject?

    fileprivate init(
        _ initial: Part, in outer: AnyObject?, _ subscribe: (@escaping (Part) -> Void) -> Subscription
    ) {
        let parts = Store<Part, Never>(initial: initial, reducer: { _, _ in })
        self.parts = parts
        self.outer = outer
        subscription = subscribe { parts.replace($0) }
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
        parts.subscribe(select, keeping(receive))
    }

    /// Like ``Store/subscribe(_:_:)-(KeyPath<State,Part>,_)``, for a part of this part.
    public func subscribe<Value: Equatable>(
        _ path: KeyPath<Part, Value>, _ receive: @escaping (Value) -> Void
    ) -> Subscription {
        parts.subscribe(path, keeping(receive))
    }

    private func keeping<Value>(_ receive: @escaping (Value) -> Void) -> (Value) -> Void {
        { [self] value in withExtendedLifetime(self) { receive(value) } }
    }

    /// A part of this part.
    ///
    /// - Parameter select: Returns the smaller part. It is called each time that this part changes and should be fast.
    public func scope<Value: Equatable>(_ select: @escaping (Part) -> Value) -> Scope<Value> {
        Scope<Value>(select(state), in: self) { parts.subscribe(select, $0) }
    }

    /// A part of this part.
    public func scope<Value: Equatable>(_ path: KeyPath<Part, Value>) -> Scope<Value> {
        Scope<Value>(state[keyPath: path], in: self) { parts.subscribe(path, $0) }
    }
}

extension Store {
    /// A part of the state, with subscribers of its own.
    ///
    /// - Parameter select: Returns the part of a state. It is called for each state and should be fast.
    public func scope<Part: Equatable>(_ select: @escaping (State) -> Part) -> Scope<Part> {
        Scope(select(state), in: nil) { subscribe(select, $0) }
    }

    /// A part of the state, with subscribers of its own.
    ///
    /// - Parameter path: Leads to the part. It is read for each state and should be fast.
    public func scope<Part: Equatable>(_ path: KeyPath<State, Part>) -> Scope<Part> {
        Scope(state[keyPath: path], in: nil) { subscribe(path, $0) }
    }
}

// Unchecked: all properties are constant, and may be used from any thread if the part may.
extension Scope: @unchecked Sendable where Part: Sendable {}
