import TapeFormat
import TapeUplink

// Recognises pushed actions among the store's events.
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
    func arrival(_ scope: DispatchScope?, _ text: [UInt8], in session: isolated RecordingSession) -> Arrival {
        let own = own(in: session)
        guard !own.expected.isEmpty || scope?.pushed != nil else { return .own }
        let record = try? JSON(parsing: text)
        if let pushed = scope?.pushed {
            if pushed.store != name { return pushed.record == record ? .shared(pushed) : .own }
            let progress = pushed.progress(in: session)
            guard !progress.isDone else { return .own }
            if pushed.record == record {
                own.isReducingInPlace = true
                return .pushed(pushed)
            }
            return pushed.isReplay || progress.first != nil ? .own : .changed(pushed)
        }
        guard let pushed = own.expected.first(where: { $0.record == record }) else { return .own }
        let isElsewhere = pushed.isReplay || pushed.progress(in: session).isElsewhere || !own.isReducingInPlace
        return isElsewhere ? .pushed(pushed) : .like(pushed)
    }

    /// Notes that an event was written.
    func arrived(_ arrival: Arrival, seq: Int, in session: isolated RecordingSession) {
        switch arrival {
        case .own, .shared: break
        case .pushed(let pushed): settle(pushed, seq: seq, in: session)
        case .changed(let pushed): pushed.progress(in: session).first = seq
        case .like(let pushed):
            let progress = pushed.progress(in: session)
            progress.like = progress.like ?? seq
        }
    }

    /// Notes that the dispatch of a pushed action has returned, and that all its events are written.
    func dispatched(_ pushed: PushedAction, in session: isolated RecordingSession) {
        let progress = pushed.progress(in: session)
        progress.hasReturned = true
        guard !progress.isDone else { return session.answer(pushed.answer) }
        if let seq = progress.first { return settle(pushed, seq: seq, in: session) }
        progress.isElsewhere = true
        own(in: session).isReducingInPlace = false
        // A store that reduces elsewhere may need a moment.
        session.after(session.reduceLimit) { [weak self] session in self?.giveUp(on: pushed, in: session) }
    }

    /// Answers for an action that the store did not record.
    private func giveUp(on pushed: PushedAction, in session: isolated RecordingSession) {
        let progress = pushed.progress(in: session)
        guard !progress.isDone else { return }
        if let seq = progress.like { return settle(pushed, seq: seq, in: session) }
        finish(pushed, in: session)
        let action = pushed.cause["of"]?.int.map { "the action of event \($0)" } ?? "the action"
        let message = "\(action) was dispatched, and no reduction of it recorded: a middleware may have stopped it"
        session.fail(pushed.id, Pushed.Failure(code: .unsupported, message: message))
    }

    private func settle(_ pushed: PushedAction, seq: Int, in session: isolated RecordingSession) {
        finish(pushed, in: session)
        pushed.answer?.seq.set(seq, in: session)
        if pushed.progress(in: session).hasReturned { session.answer(pushed.answer) }
        session.endReplay()
    }

    private func finish(_ pushed: PushedAction, in session: isolated RecordingSession) {
        pushed.progress(in: session).isDone = true
        pushed.passage?.passed()
        own(in: session).expected.removeAll { $0 === pushed }
        shared.withLock { $0.arriving -= 1 }
    }

    func expect(_ pushed: PushedAction, in session: isolated RecordingSession) {
        let own = own(in: session)
        own.expected.append(pushed)
        if own.isGone { leave(session) }
    }

    func expects(_ id: String, in session: isolated RecordingSession) -> Bool {
        own(in: session).expected.contains { $0.id == id }
    }

    /// Answers for the actions that are on their way into a store that is gone: nothing records them any more.
    func leave(_ session: isolated RecordingSession) {
        let own = own(in: session)
        own.isGone = true
        for pushed in own.expected {
            finish(pushed, in: session)
            session.fail(pushed.id, .gone(name))
        }
    }
}
