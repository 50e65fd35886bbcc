/// Holds the state and changes it one action at a time.
///
/// ```swift
/// let store = Store(initial: AppState(), reducer: reduce)
/// let subscription = store.subscribe(\.count) { print($0) }
/// store.dispatch(.increment)
/// ```
///
/// Every method may be called from any thread and from anywhere, a reducer, a middleware and a subscriber included.
/// What is asked while the store is at work is queued and done in its turn by the thread that is at work: nothing
/// re-enters, no dispatch waits, and every subscriber sees the states in their order.
///
/// The reducer, the middleware and the subscribers are called on the thread that dispatches. Where they belong to an
/// actor, make the store on that actor and dispatch on it; an effect's dispatches go there by themselves.
public final class Store<State, Action> {
    private let chain: (Action, inout State) -> Void
    private let passage: Passage?
    private let pending = Effects<Action>()
    private let isolation: (any Actor)?
    private let work = WorkQueue()
    /// Written by the worker alone, while it is reducing: that is checked by `work`, and need not be again.
    @exclusivity(unchecked) private var current: State

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - initial: The state to begin with.
    ///   - reducer: How an action changes the state.
    ///   - middleware: What stands around the reducer, the outermost first.
    ///   - effects: Asked after the reducer, with the action as it came there and the new state, for work to be done.
    ///     It is started when the subscribers have been told. An action that a middleware has stopped has no effects.
    ///   - isolation: The actor on which effects dispatch.
    public init(
        initial: State,
        reducer: @escaping Reducer<State, Action>,
        middleware: [Middleware<State, Action>] = [],
        effects: ((Action, State) -> Effect<Action>?)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        let passage = middleware.isEmpty ? nil : Passage()
        // One closure, not one around the other: each costs every dispatch some nanoseconds.
        var chain: (Action, inout State) -> Void = { action, state in
            passage?.isReached = true
            reducer(&state, action)
        }
        if let effects {
            chain = { [pending] action, state in
                passage?.isReached = true
                reducer(&state, action)
                if let effect = effects(action, state) { pending.add(effect) }
            }
        }
        for middleware in middleware.reversed() {
            chain = middleware(chain)
        }
        self.chain = chain
        self.passage = passage
        self.isolation = isolation
        self.current = initial
    }

    /// The state after the last reduction. A read waits while another thread reduces.
    ///
    /// - Precondition: Not read by the store's own reducer or middleware, which hold the state in their hands.
    public var state: State {
        work.read { current }
    }

    /// Sends an action through the middleware and the reducer, and the new state to the subscribers.
    ///
    /// All of it is done when the call returns, unless the store was at work already: then the action is queued and
    /// the call returns at once.
    public func dispatch(_ action: Action) {
        guard work.enter() || work.enter(orLeave: { self.reduce(action) }) else { return }
        reduce(action)
        work.finish()
    }

    /// Sets the state outside a reduction: no middleware sees it, the subscribers do. It is queued like an action.
    public func replace(_ state: State) {
        guard work.enter(orLeave: { self.set(state) }) else { return }
        set(state)
        work.finish()
    }

    /// Calls a closure with the state as it is, and then with every state that follows.
    ///
    /// - Parameter receive: Called on the thread that dispatches; on the caller's for the first state, unless the
    ///   store is at work.
    /// - Returns: What keeps the subscription alive.
    public func subscribe(_ receive: @escaping (State) -> Void) -> Subscription {
        add { [unowned self] subscriber in
            if work.wants(subscriber) { receive(current) }
        }
    }

    /// Calls a closure with a part of the state as it is, and then each time that it has changed.
    ///
    /// - Parameters:
    ///   - select: Takes the part out of the state; called for every state, so it should be quick.
    ///   - receive: Called as for ``subscribe(_:)``, with parts of which no two in a row are equal.
    /// - Returns: What keeps the subscription alive.
    public func subscribe<Part: Equatable>(
        _ select: @escaping (State) -> Part, _ receive: @escaping (Part) -> Void
    ) -> Subscription {
        subscribe(select, isDuplicate: { $0 == $1 }, receive)
    }

    /// Calls a closure with a part of the state as it is, and then with each that is no duplicate of the last.
    ///
    /// - Parameters:
    ///   - select: Takes the part out of the state; called for every state, so it should be quick.
    ///   - isDuplicate: Whether the second part tells the subscriber nothing new after the first.
    ///   - receive: Called as for ``subscribe(_:)``.
    /// - Returns: What keeps the subscription alive.
    public func subscribe<Part>(
        _ select: @escaping (State) -> Part, isDuplicate: @escaping (Part, Part) -> Bool,
        _ receive: @escaping (Part) -> Void
    ) -> Subscription {
        add { [unowned self] subscriber in
            let first = select(current)
            var last = first
            subscriber.deliver = { [unowned self] subscriber in
                let part = select(current)
                if isDuplicate(last, part) { return }
                last = part
                if work.wants(subscriber) { receive(part) }
            }
            if work.wants(subscriber) { receive(first) }
        }
    }
}

/// Whether an action has come through the middleware; touched by the worker alone.
private final class Passage {
    var isReached = false
}

// What the worker does. Each of these begins reducing, so that it owns the state.
extension Store {
    private func reduce(_ action: Action) {
        passage?.isReached = false
        chain(action, &current)
        // One that a middleware has stopped has changed nothing: a subscriber that answers by the same action, told of it,
        // would never come to an end.
        if passage?.isReached ?? true { tell() } else { _ = work.endReducing() }
        pending.start(in: self, on: isolation)
    }

    private func set(_ state: State) {
        current = state
        tell()
    }

    private func tell() {
        for subscriber in work.endReducing() { subscriber.deliver(subscriber) }
    }

    private func add(_ deliver: @escaping (Subscriber) -> Void) -> Subscription {
        let subscriber = Subscriber(deliver: deliver)
        if work.enter(orLeave: { self.admit(subscriber) }) {
            admit(subscriber)
            work.finish()
        }
        return Subscription(of: subscriber, to: work)
    }

    private func admit(_ subscriber: Subscriber) {
        if work.endReducing(adding: subscriber) { subscriber.deliver(subscriber) }
    }
}

// Unchecked: what changes is guarded by `work`, and the closures given are called one at a time.
extension Store: @unchecked Sendable where State: Sendable, Action: Sendable {}
