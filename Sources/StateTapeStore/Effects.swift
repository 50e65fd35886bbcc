/// The effects of the current dispatch; only the store's worker uses it.
final class Effects<Action> {
    private var pending: [Effect<Action>] = []
    /// Read at each dispatch, because `isEmpty` of a generic array is slower.
    private var isEmpty = true

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
        for effect in effects {
            Task { await effect.work { await target.dispatch($0) } }
        }
    }

    /// The store that an effect dispatches to.
    // Unchecked: the store is only used on the actor on which it was created.
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
