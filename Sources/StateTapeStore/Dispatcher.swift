public import DispatchContext

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
public final class Dispatcher<Action>: RecordableDispatcher {
    /// Wraps the dispatch to the stores: it receives `next` once, when the dispatcher is created. The closure that it
    /// returns is called for each action.
    public typealias Middleware = (@escaping (Action) -> Void) -> (Action) -> Void

    private let work = WorkQueue()
    private let middleware: [Middleware]
    private lazy var chain = middleware.reversed().reduce({ [unowned self] in notify($0) }) { $1($0) }
    private let onError: (any Error) -> Void
    /// The action that is being dispatched; only the worker uses this property and the next three.
    private var current: Action?
    /// The call site of its dispatch.
    private(set) var callSite: CallSite?
    /// Counts the dispatched actions.
    private var turn = 0
    /// The registrations that are receiving the action, each one waiting for the next.
    private var receiving: [(name: String, subscriber: Subscriber)] = []

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - middleware: Wraps the dispatch of each action, the outermost first.
    ///   - onError: Called with an error that a registered closure throws, such as a ``WaitError``. The other registrations
    ///     still receive the action. By default, a debug build stops with the error's text, and a release build goes on.
    public init(
        middleware: [Middleware] = [],
        onError: @escaping (any Error) -> Void = { assertionFailure(String(describing: $0)) }
    ) {
        self.middleware = middleware
        self.onError = onError
    }

    deinit {
        work.close()
    }

    /// Dispatches an action to all stores.
    ///
    /// When the call returns, all stores have reduced the action. During another dispatch, the action is queued and the
    /// call returns immediately.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - fileID: The file of the call site, which a recorder writes to the tape for each store.
    ///   - line: The line of the call site.
    public func dispatch(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
        let callSite = CallSite(fileID: fileID, line: line).original
        guard work.enter(orEnqueue: { self.run(action, from: callSite) }) else { return }
        run(action, from: callSite)
        work.finish()
    }

    /// Adds a recording, as the outermost middleware. `taped(by:)` of `StateTape` calls it.
    public func add(_ recording: AddedDispatchRecording) {
        let add = { [self] in
            let inner = chain
            chain = { action in recording.dispatch { inner(action) } }
            _ = work.endReducing()
        }
        guard work.enter(orEnqueue: add) else { return }
        add()
        work.finish()
    }

    /// Registers a closure.
    ///
    /// - Parameters:
    ///   - name: The name in errors; the place of the call by default.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - receive: Called with each action, on the thread that dispatches. ``init(middleware:onError:)`` says what
    ///     happens with an error.
    /// - Returns: The registration, which ends when it is released.
    public func register(
        name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ receive: @escaping (Action) throws -> Void
    ) -> Subscription {
        let name = name ?? "\(fileID):\(line)"
        var last = 0  // the last turn in which it received an action
        let subscriber = Subscriber { [unowned self] subscriber in
            guard let current, last != turn, work.isSubscribed(subscriber) else { return }
            last = turn
            receiving.append((name, subscriber))
            defer { receiving.removeLast() }
            do { try receive(current) } catch { onError(error) }
        }
        if work.enter(orEnqueue: { [work] in _ = work.endReducing(adding: subscriber) }) {
            _ = work.endReducing(adding: subscriber)
            work.finish()
        }
        return Subscription(of: subscriber, to: work)
    }

    /// Makes other registrations receive the current action first. Call it in a registered closure.
    ///
    /// ```swift
    /// totals = dispatcher.register(name: "totals") { [unowned dispatcher] action in
    ///     try dispatcher.waitFor(cart)
    ///     …  // The cart's state includes the action.
    /// }
    /// ```
    ///
    /// A registration that has received the action already, or that has ended, is skipped.
    ///
    /// It throws because a cycle depends on the actions: the first action that leads to it may be a user's. The app
    /// decides in `onError` what to do, and a test can expect the error.
    ///
    /// - Throws: A ``WaitError`` if one of them is waiting for this one, or if no action is dispatched on this thread.
    public func waitFor(_ registrations: Subscription...) throws {
        guard work.isCurrent, !receiving.isEmpty else { throw WaitError.notReceiving }
        for registration in registrations {
            guard let subscriber = work.subscriber(of: registration) else { continue }
            if let first = receiving.firstIndex(where: { $0.subscriber === subscriber }) {
                throw WaitError.cycle((receiving[first...] + [receiving[first]]).map(\.name))
            }
            subscriber.deliver(subscriber)
        }
    }

    private func run(_ action: Action, from callSite: CallSite?) {
        self.callSite = callSite
        chain(action)
    }

    private func notify(_ action: Action) {
        current = action
        turn += 1
        for subscriber in work.endReducing() {
            if let subscriber { subscriber.deliver(subscriber) }
        }
        current = nil
    }
}

// Unchecked: only the worker changes properties, and closures are called one at a time.
extension Dispatcher: @unchecked Sendable where Action: Sendable {}
