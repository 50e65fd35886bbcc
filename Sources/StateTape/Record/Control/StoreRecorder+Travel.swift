import TapeFormat
import TapeUplink

// Time travel: the store shows earlier states, of which the tape gets one event. On the store's isolation, unless a
// comment says otherwise.
extension StoreRecorder {
    /// Applies the state after an event without recording it.
    func look(at seq: Int, _ state: State, _ answer: PushAnswer, in handlers: StoreHandlers<State, Action>) {
        // The lock may have ended since the push arrived: then nothing would put the own state back.
        let isLocked = shared.withLock { $0.isLocked && !$0.isUnlocking }
        guard isLocked else { return refuse(answer.id, .unlocked) }
        guard let before = travel.withLock({ $0?.before }) ?? handlers.now().map(KeptState.init) else {
            let message = "the state of store “\(name)” can't be read and restored: pass “state:” to connect"
            let failure = Pushed.Failure(code: .unsupported, message: message)
            return refuse(answer.id, failure)
        }
        travel.withLockUnchecked { travel in
            travel = travel ?? Travel(before: before)
            travel?.look(at: seq)
        }
        handlers.play?(state)
        // No event records it, so the answer comes after those before.
        session.submit(
            Job { session in
                answer.seq.set(session.next - 1, in: session)
                session.answer(answer)
            })
    }

    private func refuse(_ id: String, _ failure: Pushed.Failure) {
        session.submit(Job { $0.fail(id, failure) })
    }

    /// Takes the state that was recorded last as the own one, for a store whose state can't be read.
    func travelFromRecorded(in session: isolated RecordingSession) {
        guard handlers?.state == nil, let state = recorded(in: session) else { return }
        let kept = KeptState(state)
        travel.withLockUnchecked { $0 = $0 ?? Travel(before: kept) }
    }

    /// A state that was applied for good is the one to return to.
    func settleTravel(at state: State) {
        let kept = KeptState(state)
        // The app's values are released outside of the lock.
        let before = travel.withLockUnchecked { travel in
            defer { travel?.before = kept }
            return travel?.before
        }
        withExtendedLifetime(before) {}
    }

    /// Puts the own state back, or keeps the one that the travel came to, and records that as one event.
    func endTravel(in handlers: StoreHandlers<State, Action>?, keeps: Bool) {
        let ended = travel.withLock { travel in
            defer { travel = nil }
            return travel
        }
        guard let ended, ended.count > 0, let handlers, let play = handlers.play else { return }
        let cause = ended.cause(keeps: keeps)
        if keeps, let state = handlers.now() { return replace(state, cause: cause, answer: nil) }
        replace(ended.before.state, cause: cause, answer: nil)
        shared.withLock { $0.isSettling = handlers.state == nil }
        play(ended.before.state)
    }
}
