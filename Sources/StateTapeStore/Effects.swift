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
            let start = Start(effect: effect, store: store)
            Task { [isolation] in await start.run(on: isolation) }
        }
    }

    /// An effect on its way into its task.
    // Unchecked: the store is dispatched to, and on the actor on which it was made.
    private struct Start: @unchecked Sendable {
        let effect: Effect<Action>
        private(set) weak var store: Store<State, Action>?

        func run(on isolation: isolated (any Actor)?) async {
            await effect.work { [weak store] action in store?.dispatch(action) }
        }
    }
}
