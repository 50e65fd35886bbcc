/// Dispatches each action to several stores, in the order of their registration.
///
/// ```swift
/// let dispatcher = Dispatcher<AppAction>()
/// let registrations = [dispatcher.register(cart), dispatcher.register(orders)]
/// dispatcher.dispatch(.checkOut)
/// ```
///
/// All methods may be called from any thread, including from a store. A dispatch during another dispatch is queued, and
/// the thread that runs the current dispatch runs it next.
public final class Dispatcher<Action> {
    /// Wraps the dispatch to the stores: it receives `next` once, when the dispatcher is created. The closure that it
    /// returns is called for each action.
    public typealias Middleware = (@escaping (Action) -> Void) -> (Action) -> Void

    private let work = WorkQueue()
    private let middleware: [Middleware]
    private lazy var chain = middleware.reversed().reduce({ [unowned self] in notify($0) }) { $1($0) }
    /// The action that is being dispatched; only the worker uses it.
    private var current: Action?

    /// Creates a dispatcher.
    ///
    /// - Parameter middleware: Wraps the dispatch of each action, the outermost first.
    public init(middleware: [Middleware] = []) {
        self.middleware = middleware
    }

    /// Dispatches an action to all stores.
    ///
    /// When the call returns, all stores have reduced the action. During another dispatch, the action is queued and the
    /// call returns immediately.
    public func dispatch(_ action: Action) {
        guard work.enter(orEnqueue: { self.chain(action) }) else { return }
        chain(action)
        work.finish()
    }

    /// Registers a store, with a weak reference.
    ///
    /// - Returns: The registration, which ends when it is released.
    public func register<State>(_ store: Store<State, Action>) -> Subscription {
        register { [weak store] in store?.dispatch($0) }
    }

    /// Registers a closure.
    ///
    /// - Parameter receive: Called with each action, on the thread that dispatches.
    /// - Returns: The registration, which ends when it is released.
    public func register(_ receive: @escaping (Action) -> Void) -> Subscription {
        let subscriber = Subscriber { [unowned self] subscriber in
            if let current, work.isSubscribed(subscriber) { receive(current) }
        }
        if work.enter(orEnqueue: { [work] in _ = work.endReducing(adding: subscriber) }) {
            _ = work.endReducing(adding: subscriber)
            work.finish()
        }
        return Subscription(of: subscriber, to: work)
    }

    private func notify(_ action: Action) {
        current = action
        for subscriber in work.endReducing() { subscriber.deliver(subscriber) }
        current = nil
    }
}

// Unchecked: only the worker changes properties, and closures are called one at a time.
extension Dispatcher: @unchecked Sendable where Action: Sendable {}
