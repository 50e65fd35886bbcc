import TapeFormat

/// An action that was pushed, on its way into its store. What changes is the recorder's thread's.
final class PushedAction {
    let id: String
    /// The store that it was pushed into.
    let store: String
    /// The action as it would be written down.
    let record: JSON
    let cause: JSON
    /// Nil of a replayed action: the answer is due after the last.
    let answer: PushAnswer?
    /// Each store is replayed its own actions, so that the others leave this one alone.
    let isReplay: Bool

    /// It was written, or given up.
    var isDone = false
    /// Its dispatch has returned, and the store had recorded nothing in it: the reduction takes place elsewhere.
    var isElsewhere = false
    /// The first event that its dispatch has brought, of an action that is another: a middleware may have changed it.
    var first: Int?
    /// An event of an action like it that was recorded elsewhere, maybe by the app itself.
    var like: Int?

    init(id: String, store: String, record: JSON, cause: JSON, answer: PushAnswer?, isReplay: Bool) {
        self.id = id
        self.store = store
        self.record = record
        self.cause = cause
        self.answer = answer
        self.isReplay = isReplay
    }
}

extension StoreRecorder {
    /// What an event of this store has to do with an action that was pushed.
    enum Arrival {
        /// Nothing, or nothing that is known.
        case own
        /// It is the action.
        case pushed(PushedAction)
        /// The dispatch of the action has brought it first, but it is another.
        case changed(PushedAction)
        /// It came through a dispatcher to a store that the action was not pushed into.
        case shared(PushedAction)
        /// It is like the action, which may still come.
        case like(PushedAction)

        /// What is written of it.
        var cause: JSON? {
            switch self {
            case .own, .like: nil
            case .pushed(let action), .changed(let action), .shared(let action): action.cause
            }
        }
    }

    /// Finds out where an action comes from that is about to be written.
    ///
    /// The thread tells: what is recorded while a pushed action is dispatched comes from it. Only where a store reduces on
    /// another thread the action itself has to do, and an equal one of the app may be taken for it.
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

    /// An event was written.
    func arrived(_ arrival: Arrival, seq: Int, in session: RecordingSession) {
        switch arrival {
        case .own, .shared: break
        case .pushed(let pushed): settle(pushed, seq: seq, in: session)
        case .changed(let pushed): pushed.first = seq
        case .like(let pushed): pushed.like = pushed.like ?? seq
        }
    }

    /// The dispatch of a pushed action has returned, and all that it recorded is written.
    func dispatched(_ pushed: PushedAction, in session: RecordingSession) {
        guard !pushed.isDone else { return }
        if let seq = pushed.first { return settle(pushed, seq: seq, in: session) }
        pushed.isElsewhere = true
        isReducingInPlace = false
        // A store that reduces elsewhere may take a moment.
        session.after(.seconds(2)) { [weak self] session in self?.giveUp(on: pushed, in: session) }
    }

    /// Answers for an action that did not come through the store.
    private func giveUp(on pushed: PushedAction, in session: RecordingSession) {
        guard !pushed.isDone else { return }
        if let seq = pushed.like { return settle(pushed, seq: seq, in: session) }
        finish(pushed)
        let message = "the action was dispatched, and no reduction of it recorded: a middleware may have stopped it"
        session.fail(pushed.id, Pushed.Failure(code: "unsupported", message: message))
    }

    private func settle(_ pushed: PushedAction, seq: Int, in session: RecordingSession) {
        finish(pushed)
        if let answer = pushed.answer { session.answer(answer, seq: seq) }
        session.endReplay()
    }

    private func finish(_ pushed: PushedAction) {
        pushed.isDone = true
        expected.removeAll { $0 === pushed }
        gate.withLock { $0.arriving -= 1 }
    }

    func expects(_ id: String) -> Bool { expected.contains { $0.id == id } }
}
