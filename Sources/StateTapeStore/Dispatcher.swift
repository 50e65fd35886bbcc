/// Hands every action to several stores, one action after the other and to the stores in the order of their registration.
///
/// ```swift
/// let dispatcher = Dispatcher<AppAction>()
/// let registrations = [dispatcher.register(cart), dispatcher.register(orders)]
/// dispatcher.dispatch(.checkOut)
/// ```
///
/// It may be called from any thread and from anywhere. What is dispatched while it is at work, by a store that it has
/// told for example, is queued and done in its turn by the thread that is at work.
public final class Dispatcher<Action> {
    /// Wraps the handing out: it is handed `next` once, when the dispatcher is made, and the closure that it returns is
    /// called for every action.
    public typealias Middleware = (@escaping (Action) -> Void) -> (Action) -> Void

    private let work = WorkQueue()
    private let middleware: [Middleware]
    private lazy var chain = middleware.reversed().reduce({ [unowned self] in tell($0) }) { $1($0) }
    /// What is being handed out; the worker's.
    private var current: Action?

    /// Makes a dispatcher.
    ///
    /// - Parameter middleware: What stands around the handing out of each action, the outermost first.
    public init(middleware: [Middleware] = []) {
        self.middleware = middleware
    }

    /// Hands an action to every store.
    ///
    /// All of it is done when the call returns, unless the dispatcher was at work already: then the action is queued and
    /// the call returns at once.
    public func dispatch(_ action: Action) {
        guard work.enter(orLeave: { self.chain(action) }) else { return }
        chain(action)
        work.finish()
    }

    /// Adds a store, which is not kept alive.
    ///
    /// - Returns: What keeps the store registered.
    public func register<State>(_ store: Store<State, Action>) -> Subscription {
        register { [weak store] in store?.dispatch($0) }
    }

    /// Adds whatever takes actions.
    ///
    /// - Parameter receive: Called on the thread that dispatches.
    /// - Returns: What keeps it registered.
    public func register(_ receive: @escaping (Action) -> Void) -> Subscription {
        let subscriber = Subscriber { [unowned self] subscriber in
            if let current, work.wants(subscriber) { receive(current) }
        }
        if work.enter(orLeave: { [work] in _ = work.endReducing(adding: subscriber) }) {
            _ = work.endReducing(adding: subscriber)
            work.finish()
        }
        return Subscription(of: subscriber, to: work)
    }

    private func tell(_ action: Action) {
        current = action
        for subscriber in work.endReducing() { subscriber.deliver(subscriber) }
        current = nil
    }
}

// Unchecked: what changes is the worker's, and the closures given are called one at a time.
extension Dispatcher: @unchecked Sendable where Action: Sendable {}
