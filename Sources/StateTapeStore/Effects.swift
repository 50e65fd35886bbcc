import DispatchContext

/// The effects of the current dispatch; only the store's worker uses it.
final class Effects<Action> {
    /// The effects that run. Any thread may use it.
    let tasks = RunningTasks()
    /// The actions on their way to the store's actor. Any thread may use it.
    let arrivals = Arrivals()
    let gate = StoreGate()
    private var pending: [Effect<Action>] = []
    /// Read at each dispatch, because `isEmpty` of a generic array is slower.
    private var isEmpty = true

    deinit {
        tasks.end()
    }

    /// Whether the effects of the action that was just reduced may start.
    var mayStart: Bool { gate.recorded?.startsEffects ?? true }

    func add(_ effect: Effect<Action>) {
        pending.append(effect)
        isEmpty = false
    }

    /// Starts the effects that were added since the last call.
    ///
    /// - Parameters:
    ///   - store: The store that they dispatch to.
    ///   - isolation: The actor on which they dispatch.
    func start<State>(in store: Store<State, Action>, on isolation: (any Actor)?) {
        if isEmpty { return }
        let effects = pending
        pending.removeAll()
        isEmpty = true
        let target = Target(store: store, isolation: isolation)
        for step in effects.flatMap(\.steps) {
            switch step {
            case .run(let work, let id):
                tasks.run(id) { await work(Effect.Dispatch { await target.dispatch($0, from: $1) }) }
            case .cancel(let id): tasks.cancel(id)
            }
        }
    }

    /// The store that an effect dispatches to.
    // Unchecked: the store dispatches only on the actor on which it was created. Any thread may read a Sendable state.
    struct Target<State>: @unchecked Sendable {
        private(set) weak var store: Store<State, Action>?
        private let isolation: (any Actor)?

        init(store: Store<State, Action>, isolation: (any Actor)?) {
            self.store = store
            self.isolation = isolation
        }

        func dispatch(_ action: sending Action, from callSite: CallSite?) async {
            await dispatch(action, from: callSite, on: isolation)
        }

        private func dispatch(
            _ action: sending Action, from callSite: CallSite?, on isolation: isolated (any Actor)?
        ) async {
            if !Task.isCancelled { store?.dispatch(action, from: callSite) }
        }
    }
}
