import TapeFormat

/// A replayed action on its way into the locked store, which may reduce it after its dispatch has returned. The next
/// action is dispatched after it has come there, so that all come in their order.
final class Passage: Sendable {
    private struct State {
        var hasReturned = false
        var hasPassed = false
        var done: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    init(_ done: @escaping @Sendable () -> Void) {
        state = Locked(State(done: done))
    }

    /// Its dispatch has returned.
    func returned() { change { $0.hasReturned = true } }

    /// The store is about to reduce it, or it doesn't come any more.
    func passed() { change { $0.hasPassed = true } }

    private func change(_ body: (inout State) -> Void) {
        let done = state.withLock { state -> (@Sendable () -> Void)? in
            body(&state)
            guard state.hasReturned, state.hasPassed else { return nil }
            defer { state.done = nil }
            return state.done
        }
        done?()
    }
}
