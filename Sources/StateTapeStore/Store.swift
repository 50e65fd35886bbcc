// An app that passes on a store's gate imports no module for it.
@_exported public import DispatchContext

/// Holds the state and changes it one action at a time.
///
/// ```swift
/// let store = Store(initial: AppState(), reducer: reduce)
/// let subscription = store.subscribe(\.count) { print($0) }
/// store.dispatch(.increment)
/// ```
///
/// All methods may be called from any thread, including from a reducer, a middleware or a subscriber. A call during a
/// dispatch is queued, and the dispatching thread runs it next. So calls are never nested, no dispatch waits, and all
/// subscribers see the states in order.
///
/// The reducer, the middleware and the subscribers are called on the thread that dispatches. If they belong to an actor,
/// create the store and dispatch on that actor; effects dispatch on it, too.
public final class Store<State, Action>: RecordableStore {
    /// What a dispatch calls. Constant, so that a dispatch keeps one object alive in place of each part.
    private final class Chain {
        let reduce: (Action, inout State) -> Void
        /// Nil if no middleware can stop an action.
        let reducerCall: ReducerCall?
        /// Nil if no track is among the middleware.
        let recording: StoreRecording?

        init(
            reduce: @escaping (Action, inout State) -> Void, _ reducerCall: ReducerCall?, _ recording: StoreRecording?
        ) {
            (self.reduce, self.reducerCall, self.recording) = (reduce, reducerCall, recording)
        }
    }

    /// Only the worker uses it.
    @exclusivity(unchecked) private var chain: Chain
    /// Whether a track is among the middleware. Set before the first dispatch.
    @exclusivity(unchecked) private var isRecorded: Bool
    let pending = Effects<Action>()
    let isolation: (any Actor)?
    /// Records a change without an action; nil without a recorder.
    private var recordedSet: ((inout State, (inout State) -> Void) -> Void)?
    let work = WorkQueue()
    /// What subscribers select by key path; only the worker uses it.
    @exclusivity(unchecked) var selections = SelectionTable()
    /// Called with each state of `replace(_:)`. Only the worker calls and sets it.
    var didReplace: ((State) -> Void)?
    /// Only the worker writes it, while it is reducing. `work` ensures exclusive access.
    @exclusivity(unchecked) private var current: State

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - initial: The initial state.
    ///   - reducer: Changes the state for an action.
    ///   - middleware: Wraps the reducer, the outermost first.
    ///   - effects: Called after the reducer with its action and the new state. The effect that it returns starts after the
    ///     subscribers were called. An action that a middleware stops has no effects.
    ///   - isolation: The actor on which effects dispatch.
    public init(
        initial: State,
        reducer: @escaping Reducer<State, Action>,
        middleware: [Middleware<State, Action>] = [],
        effects: ((Action, State) -> Effect<Action>?)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        let reducerCall = middleware.isEmpty ? nil : ReducerCall()
        // One closure instead of nested ones, because each costs some nanoseconds per dispatch.
        var chain: (Action, inout State) -> Void = { action, state in
            reducerCall?.hasHappened = true
            reducer(&state, action)
        }
        if let effects {
            chain = { [pending] action, state in
                reducerCall?.hasHappened = true
                reducer(&state, action)
                if pending.mayStart, let effect = effects(action, state) { pending.add(effect) }
            }
        }
        var recording: StoreRecording?
        for middleware in middleware.reversed() {
            recording = StoreRecording.adding(to: recording) { chain = middleware(chain) }
        }
        self.chain = Chain(reduce: chain, reducerCall, recording)
        isRecorded = recording != nil
        self.isolation = isolation
        self.current = initial
    }

    deinit {
        work.close()
    }

    /// The current state. A read waits while another thread runs the reducer.
    ///
    /// - Precondition: The store's own reducer and middleware must not read it; they receive the state as a parameter.
    public var state: State {
        work.read { current }
    }

    /// Runs the middleware and the reducer for an action, then calls the subscribers with the new state.
    ///
    /// When the call returns, the subscribers were called. During another dispatch, the action is queued and the call
    /// returns immediately.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - fileID: The file of the call site, which a recorder writes to the tape.
    ///   - line: The line of the call site.
    public func dispatch(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
        dispatch(action, from: isRecorded ? CallSite(fileID: fileID, line: line).original : nil)
    }

    /// - Parameter callSite: Nil if it is unknown.
    func dispatch(_ action: Action, from callSite: CallSite?) {
        guard work.enter() || work.enter(orEnqueue: { self.reduce(action, from: callSite) }) else { return }
        reduce(action, from: callSite)
        work.finish()
    }

    /// Sets the state without the reducer and the middleware, and calls the subscribers. It is queued like an action.
    public func replace(_ state: State) {
        guard work.enter(orEnqueue: { self.set(state) }) else { return }
        set(state)
        work.finish()
    }

    /// Adds a recording. `taped(by:)` of `StateTape` calls it.
    public func add(_ recording: AddedRecording<State, Action>) {
        guard work.enter(orEnqueue: { self.begin(recording) }) else { return }
        begin(recording)
        work.finish()
    }

    /// Whether work may start now. It is open, unless the store is recorded, and the app is locked or replays recorded
    /// actions. The store's own effects and its drivers ask it themselves.
    public var gate: EffectGate { pending.gate.current }

    /// Calls a closure with the current state, and then with each new state.
    ///
    /// - Parameter receive: Called on the thread that dispatches; for the current state on the caller's thread, except
    ///   during a dispatch.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe(_ receive: @escaping (State) -> Void) -> Subscription {
        add { [unowned self] subscriber in
            if work.isSubscribed(subscriber) { receive(current) }
        }
    }

    /// Calls a closure with a part of the current state, and then each time that the part changes.
    ///
    /// The store knows nothing of what a closure selects, so it calls each subscriber's closure for each state. For many
    /// subscribers use key paths, ``subscribe(_:at:_:)-(_,Int,_)`` or a ``Scope``.
    ///
    /// - Parameters:
    ///   - select: Returns the part of a state. It is called for each state and should be fast.
    ///   - receive: Called like that of ``subscribe(_:)``, but only for a part that differs from the last one.
    /// - Returns: The subscription, which ends when it is released.
    public func subscribe<Part: Equatable>(
        _ select: @escaping (State) -> Part, _ receive: @escaping (Part) -> Void
    ) -> Subscription {
        subscribe(select, isDuplicate: { $0 == $1 }, receive)
    }

    /// Calls a closure with a part of the current state, and then with each part that isn't a duplicate of the last one.
    ///
    /// - Parameters:
    ///   - select: Returns the part of a state. It is called for each state and should be fast.
    ///   - isDuplicate: Whether the second part counts as equal to the first.
    ///   - receive: Called like that of ``subscribe(_:)``.
    /// - Returns: The subscription, which ends when it is released.
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
                if work.isSubscribed(subscriber) { receive(part) }
            }
            if work.isSubscribed(subscriber) { receive(first) }
        }
    }
}

/// Whether the middleware called the reducer; only the worker uses it.
private final class ReducerCall {
    var hasHappened = false
}

// The worker calls these methods while it is reducing, and therefore owns the state.
extension Store {
    /// Runs a dispatch. The event that records it is the cause of what the reducer, the subscribers and the effects
    /// start.
    private func reduce(_ action: Action, from callSite: CallSite?) {
        let chain = chain
        guard let recording = chain.recording else {
            change(action, by: chain)
            return deliver(by: chain)
        }
        recording.dispatch(from: callSite, { change(action, by: chain) }, then: { deliver(by: chain) })
    }

    /// The recording is the outermost middleware.
    private func begin(_ added: AddedRecording<State, Action>) {
        let inner = chain
        let call = inner.reducerCall ?? ReducerCall()
        var reduce = inner.reduce
        if inner.reducerCall == nil {
            reduce = { action, state in
                call.hasHappened = true
                inner.reduce(action, &state)
            }
        }
        let recording = StoreRecording.adding(to: inner.recording) { reduce = added.middleware(reduce) }
        chain = Chain(reduce: reduce, call, recording)
        isRecorded = recording != nil
        recordedSet = added.set
        pending.gate.recorded = added.gate
        if let state = added.launchState { set(state) } else { _ = work.endReducing() }
    }

    private func change(_ action: Action, by chain: Chain) {
        chain.reducerCall?.hasHappened = false
        chain.reduce(action, &current)
    }

    private func deliver(by chain: Chain) {
        // A stopped action calls no subscribers: one that dispatches the same action again would loop forever.
        if chain.reducerCall?.hasHappened ?? true { notify() } else { _ = work.endReducing() }
        pending.start(in: self, on: isolation)
    }

    private func set(_ state: State) {
        current = state
        didReplace?(state)
        notify()
    }

    /// Reduces the action that the creator returns for the current state.
    func create(_ creator: ActionCreator<State, Action>, from callSite: CallSite?) {
        if let action = creator(current) { reduce(action, from: callSite) } else { _ = work.endReducing() }
    }

    /// Calls a closure with the state while no reducer runs, and sets the state that it returns, which a recorder notes.
    /// Queued like an action.
    func update(_ change: @escaping (State) -> State?) {
        guard work.enter(orEnqueue: { self.change(change) }) else { return }
        self.change(change)
        work.finish()
    }

    private func change(_ change: (State) -> State?) {
        if let state = change(current) {
            if let recordedSet { recordedSet(&current) { $0 = state } } else { current = state }
            notify()
        } else {
            _ = work.endReducing()
        }
    }

    private func notify() {
        var subscribers = work.endReducing()
        if !selections.isEmpty { addChanged(to: &subscribers) }
        for subscriber in subscribers {
            if let subscriber { subscriber.deliver(subscriber) }
        }
    }

    /// Adds the subscribers of the selections that have changed, in the order of the subscriptions.
    private func addChanged(to subscribers: inout [Subscriber?]) {
        removeEmptied()
        var changed: [Selection] = []
        selections.compare(current, &changed)
        if changed.isEmpty { return }
        subscribers = work.inOrder(subscribers, and: changed)
    }

    private func add(_ deliver: @escaping (Subscriber) -> Void) -> Subscription {
        let subscriber = Subscriber(deliver: deliver)
        return add(subscriber) { [work] in
            if work.endReducing(adding: subscriber) { subscriber.deliver(subscriber) }
        }
    }

    /// Adds a subscriber of a selection.
    ///
    /// - Parameters:
    ///   - receive: Receives the selection's value.
    ///   - selection: Returns the selection, which it may make, and a closure that returns its value. Called on the
    ///     worker, after reducing.
    func add<Value>(
        _ receive: @escaping (Value) -> Void, to selection: @escaping () -> (Selection, value: () -> Value)
    ) -> Subscription {
        let subscriber = Subscriber { _ in }
        return add(subscriber) { [unowned self] in
            _ = work.endReducing()
            removeEmptied()
            let (selection, value) = selection()
            subscriber.deliver = { [unowned work] subscriber in
                if work.isSubscribed(subscriber) { receive(value()) }
            }
            if work.add(subscriber, to: selection) { subscriber.deliver(subscriber) }
        }
    }

    private func add(_ subscriber: Subscriber, _ start: @escaping () -> Void) -> Subscription {
        if work.enter(orEnqueue: start) {
            start()
            work.finish()
        }
        return Subscription(of: subscriber, to: work)
    }

    /// Removes the selections whose last subscription has ended.
    private func removeEmptied() {
        for selection in work.takeEmptied() { remove(selection) }
    }

    private func remove(_ selection: Selection) {
        if work.isEmpty(selection), let whole = selection.remove(from: &selections) { remove(whole) }
    }
}

// Unchecked: `work` protects all mutable state, and closures are called one at a time.
extension Store: @unchecked Sendable where State: Sendable, Action: Sendable {}
