import TapeFormat

/// An action from the server that is dispatched into its store.
final class PushedAction: Sendable {
    let id: String
    /// The store that it was pushed into.
    let store: String
    /// The action as the tape would record it.
    let record: JSON
    let cause: JSON
    /// Nil for a replayed action: a replay is answered after its last action.
    let answer: PushAnswer?
    /// Each store replays its own actions, so the other stores ignore this one.
    let isReplay: Bool
    /// Nil unless it is a replayed action.
    let passage: Passage?

    /// What has become of it.
    final class Progress {
        /// Whether it was recorded or given up.
        var isDone = false
        /// Its dispatch has returned.
        var hasReturned = false
        /// Its dispatch has returned without an event of the store, so the store reduces it elsewhere.
        var isElsewhere = false
        /// The first event of its dispatch if that has another action: a middleware may have changed it.
        var first: Int?
        /// An event of an equal action that was recorded elsewhere, maybe the app's own.
        var like: Int?
    }

    private let own = ThreadBound(Progress())

    func progress(in session: isolated RecordingSession) -> Progress { own.value(in: session) }

    init(
        id: String, store: String, record: JSON, cause: JSON, answer: PushAnswer?, passage: Passage?
    ) {
        self.id = id
        self.store = store
        self.record = record
        self.cause = cause
        self.answer = answer
        self.passage = passage
        isReplay = passage != nil
    }
}

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
