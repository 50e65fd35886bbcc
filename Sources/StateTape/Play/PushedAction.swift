import TapeFormat

/// An action from the server that is dispatched into its store. Only the recorder's thread changes it.
final class PushedAction {
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

extension StoreRecorder {
    /// How an event of this store relates to a pushed action.
    enum Arrival {
        /// Not related, as far as known.
        case own
        /// The event is the pushed action.
        case pushed(PushedAction)
        /// The event is the first of the pushed action's dispatch, but has another action.
        case changed(PushedAction)
        /// A dispatcher brought the action to a store that it was not pushed into.
        case shared(PushedAction)
        /// The event has an equal action, but the pushed one may still follow.
        case like(PushedAction)

        /// The cause that the tape records.
        var cause: JSON? {
            switch self {
            case .own, .like: nil
            case .pushed(let action), .changed(let action), .shared(let action): action.cause
            }
        }
    }

    /// Finds out where an action comes from before it is written.
    ///
    /// The thread shows it: events on the thread of a pushed action's dispatch come from that action. If a store
    /// reduces on another thread, the recorder compares the actions, and an equal action of the app may be mistaken for
    /// the pushed one.
    func arrival(_ scope: DispatchScope?, _ text: [UInt8]) -> Arrival {
        guard !expected.isEmpty || scope?.pushed != nil else { return .own }
        let record = try? JSON(parsing: text)
        if let pushed = scope?.pushed {
            if pushed.store != name { return pushed.record == record ? .shared(pushed) : .own }
            guard !pushed.isDone else { return .own }
            if pushed.record == record {
                isReducingInPlace = true
                return .pushed(pushed)
            }
            return pushed.isReplay || pushed.first != nil ? .own : .changed(pushed)
        }
        guard let pushed = expected.first(where: { $0.record == record }) else { return .own }
        return pushed.isReplay || pushed.isElsewhere || !isReducingInPlace ? .pushed(pushed) : .like(pushed)
    }

    /// Notes that an event was written.
    func arrived(_ arrival: Arrival, seq: Int, in session: RecordingSession) {
        switch arrival {
        case .own, .shared: break
        case .pushed(let pushed): settle(pushed, seq: seq, in: session)
        case .changed(let pushed): pushed.first = seq
        case .like(let pushed): pushed.like = pushed.like ?? seq
        }
    }

    /// Notes that the dispatch of a pushed action has returned, and that all its events are written.
    func dispatched(_ pushed: PushedAction, in session: RecordingSession) {
        pushed.hasReturned = true
        guard !pushed.isDone else { return session.answer(pushed.answer) }
        if let seq = pushed.first { return settle(pushed, seq: seq, in: session) }
        pushed.isElsewhere = true
        isReducingInPlace = false
        // A store that reduces elsewhere may need a moment.
        session.after(session.reduceLimit) { [weak self] session in self?.giveUp(on: pushed, in: session) }
    }

    /// Answers for an action that the store did not record.
    private func giveUp(on pushed: PushedAction, in session: RecordingSession) {
        guard !pushed.isDone else { return }
        if let seq = pushed.like { return settle(pushed, seq: seq, in: session) }
        finish(pushed)
        let action = pushed.cause["of"]?.int.map { "the action of event \($0)" } ?? "the action"
        let message = "\(action) was dispatched, and no reduction of it recorded: a middleware may have stopped it"
        session.fail(pushed.id, Pushed.Failure(code: "unsupported", message: message))
    }

    private func settle(_ pushed: PushedAction, seq: Int, in session: RecordingSession) {
        finish(pushed)
        pushed.answer?.seq = seq
        if pushed.hasReturned { session.answer(pushed.answer) }
        session.endReplay()
    }

    private func finish(_ pushed: PushedAction) {
        pushed.isDone = true
        pushed.passage?.passed()
        expected.removeAll { $0 === pushed }
        shared.withLock { $0.arriving -= 1 }
    }

    func expect(_ pushed: PushedAction, in session: RecordingSession) {
        expected.append(pushed)
        if isGone { leave(session) }
    }

    func expects(_ id: String) -> Bool { expected.contains { $0.id == id } }

    /// Answers for the actions that are on their way into a store that is gone: nothing records them any more.
    func leave(_ session: RecordingSession) {
        isGone = true
        for pushed in expected {
            finish(pushed)
            session.fail(pushed.id, .gone(name))
        }
    }
}
