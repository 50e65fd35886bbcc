/// The effects that the current dispatch has asked for; touched by the store's worker alone.
final class Effects<Action> {
    private var pending: [Effect<Action>] = []
    /// Asked at every dispatch, where asking the array of a generic type would cost.
    private var isEmpty = true

    func add(_ effect: Effect<Action>) {
        pending.append(effect)
        isEmpty = false
    }

    /// Starts what was added since the last call, dispatching to a store on the actor on which it was made.
    func start<State>(in store: Store<State, Action>, on isolation: (any Actor)?) {
        if isEmpty { return }
        let effects = pending
        pending.removeAll()
        isEmpty = true
        let target = Target(store: store, isolation: isolation)
        for effect in effects {
            Task { await effect.work { await target.dispatch($0) } }
        }
    }

    /// Where an effect's actions go.
    // Unchecked: the store is touched on the actor on which it was made.
    private struct Target<State>: @unchecked Sendable {
        private weak var store: Store<State, Action>?
        private let isolation: (any Actor)?

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
