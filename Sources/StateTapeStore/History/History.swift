/// Keeps the actions of a store, and computes the states between them: time travel inside of the app.
///
/// ```swift
/// let history = History(initial: AppState(), reducer: reduce)
/// let store = Store(initial: history.start, reducer: reduce, middleware: [log, history.middleware])
/// history.connect(store)
/// store.dispatch(.add(1))
/// history.stepBack()
/// ```
///
/// A *position* is a number between two steps. Positions keep their meaning when old steps are dropped.
///
/// A move sets the store's state, and calls its subscribers. It calls no middleware, and starts no effects: the reducer
/// computes the state from the one before the oldest step. An action at an old position continues from there, and the
/// steps that followed are lost. So an effect that is still running would end the look back when it dispatches; set
/// ``isPaused`` to prevent it.
///
/// Beside the store's state, the history holds one older state and at most `limit` steps. A move runs the reducer once for
/// each step before the position. When the history is full, each action runs the reducer once more, to drop a step.
///
/// All methods may be called from any thread. Like ``Store/dispatch(_:fileID:line:)``, a move during a dispatch is
/// queued. Like ``Store/state``, the properties must not be read by a reducer or a middleware.
public final class History<State, Action> {
    private let reducer: Reducer<State, Action>
    private let limit: Int
    /// Only the store's worker writes these two properties, while it is reducing.
    private var tape: HistoryTape<State, Action>
    private var paused = false
    private weak var store: Store<State, Action>?
    let files = HistoryFiles()

    /// Creates a history.
    ///
    /// - Parameters:
    ///   - initial: The initial state. It must be a value type, because each move computes states from it.
    ///   - reducer: The store's reducer.
    ///   - limit: The greatest number of steps. The oldest steps are dropped first.
    public convenience init(initial: State, reducer: @escaping Reducer<State, Action>, limit: Int = 1_000) {
        self.init(tape: HistoryTape(base: initial), reducer: reducer, limit: limit)
    }

    init(tape: HistoryTape<State, Action>, reducer: @escaping Reducer<State, Action>, limit: Int) {
        self.reducer = reducer
        self.limit = limit
        self.tape = tape
        self.tape.drop(to: limit, reducer)
    }

    /// The state at the position, with which the store is created.
    public var start: State { copy.state(reducer) }

    /// Notes each action. It must be the store's last middleware, so that it receives the actions that the reducer does.
    public var middleware: Middleware<State, Action> {
        { [self] next in
            { [self] action, state in
                if paused { return }
                next(action, &state)
                add(.action(action))
            }
        }
    }

    /// Connects the store that was created with ``start`` and ``middleware``. Call it before the first dispatch.
    ///
    /// One history has one store, and doesn't retain it. Without a store, a move does nothing. A state that `replace` sets
    /// is a step, too. If the store was created with another state than ``start``, call ``clear()`` next.
    public func connect(_ store: Store<State, Action>) {
        self.store = store
        store.update { [weak self] _ in
            self?.listen()
            return nil
        }
    }

    /// The positions that can be moved to: before the oldest step, …, after the newest step.
    public var positions: ClosedRange<Int> { read { tape.positions } }

    /// The position of the store's state.
    public var position: Int { read { tape.dropped + tape.position } }

    /// The steps, the oldest first. The first one leads from the first position to the second one.
    public var steps: [HistoryStep<State, Action>] { Array(copy.steps) }

    /// Whether the store ignores actions, so that nothing changes the state that one looks at. An ignored action has no
    /// effects, and calls no subscribers.
    public var isPaused: Bool {
        get { read { paused } }
        set {
            change { history in
                history.paused = newValue
                return false
            }
        }
    }

    /// Moves to a position, or to the nearest one that there is.
    public func jump(to position: Int) {
        change { $0.tape.move(to: position) }
    }

    /// Moves to the previous position.
    public func stepBack() {
        change { $0.tape.move(to: $0.tape.dropped + $0.tape.position - 1) }
    }

    /// Moves to the next position.
    public func stepForward() {
        change { $0.tape.move(to: $0.tape.dropped + $0.tape.position + 1) }
    }

    /// Computes the states without the step after a position, or with it again. Does nothing if there is no such step.
    public func skip(after position: Int, _ isSkipped: Bool = true) {
        change { $0.tape.skip(position, isSkipped) }
    }

    /// Drops all steps. The only position is that of the store's state, 0.
    public func clear() {
        store?.update { [self] state in
            tape = HistoryTape(base: state)
            return nil
        }
    }
}

extension History {
    /// A consistent copy, for another thread than the worker.
    var copy: HistoryTape<State, Action> { read { tape } }

    private func read<Value>(_ body: () -> Value) -> Value {
        store.map { $0.work.read(body) } ?? body()
    }

    /// - Parameter body: Returns whether the state changes.
    private func change(_ body: @escaping (History) -> Bool) {
        store?.update { [self] _ in body(self) ? tape.state(reducer) : nil }
    }

    private func listen() {
        store?.didReplace = { [weak self] in self?.add(.replacement($0)) }
    }

    private func add(_ cause: HistoryStep<State, Action>.Cause) {
        tape.add(cause)
        tape.drop(to: limit, reducer)
    }
}

// Unchecked: the store's worker protects the mutable state.
extension History: @unchecked Sendable where State: Sendable, Action: Sendable {}
