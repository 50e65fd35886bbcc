/// A store's effects: what was reduced, and starting the work that follows from it.
final class Effects<State, Action> {
    private let make: (Action, State) -> Effect<Action>?
    private let isolation: (any Actor)?
    /// The actions of the current dispatch that have reached the reducer; touched by the thread at work only.
    private var pending: [Action] = []

    init(of make: @escaping (Action, State) -> Effect<Action>?, on isolation: (any Actor)?) {
        self.make = make
        self.isolation = isolation
    }

    /// An action has reached the reducer.
    func reduced(_ action: Action) {
        pending.append(action)
    }

    /// Starts the effects of what was reduced since the last call.
    func start(after state: State, in store: Store<State, Action>) {
        guard !pending.isEmpty else { return }
        let actions = pending
        pending.removeAll()
        for action in actions {
            guard let effect = make(action, state) else { continue }
            let target = Target(store: store, isolation: isolation)
            Task { await effect.work { await target.dispatch($0) } }
        }
    }

    /// Where an effect's actions go.
    // Unchecked: the store is touched on the actor on which it was made.
    private struct Target: @unchecked Sendable {
        private(set) weak var store: Store<State, Action>?
        let isolation: (any Actor)?

        init(store: Store<State, Action>, isolation: (any Actor)?) {
            self.store = store
            self.isolation = isolation
        }

        func dispatch(_ action: sending Action) async {
            await dispatch(action, on: isolation)
        }

        private func dispatch(_ action: sending Action, on isolation: isolated (any Actor)?) async {
            store?.dispatch(action)
        }
    }
}
