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
