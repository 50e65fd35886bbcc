import TapeFormat

// Pausing, and holding the app's own actions.
extension StoreRecorder {
    /// Whether an action that is reduced now is a replayed one.
    var isLocked: Bool { gate.withLock { $0.isLocked } }

    /// Keeps an action until the app is unlocked. One that reaches several stores is kept, and reduced, by all or none.
    ///
    /// - Returns: What `record` returns in place of the reducer's result; nil if the action is to be reduced now, since it
    ///   is a replayed one, the lock is gone, or there is nothing to return.
    func hold<Output>(
        _ action: Action, _ captured: any CapturedAction, _ isLocked: Bool, _ scope: DispatchScope?,
        _ held: () -> Output?
    ) -> Output? {
        let decision = scope?.isHeld ?? isLocked
        let isOthers = isLocked && scope?.pushed.map { $0.isReplay && $0.store != name } ?? false
        guard decision || isOthers, let output = held() ?? (() as? Output) else {
            if scope?.isHeld == nil { scope?.isHeld = false }
            return nil
        }
        if isOthers {
            gate.withLock { $0.schedule.cancel() }
            return output
        }
        // Encoding is the app's own code: not in the lock.
        let record = EncodingMark.set { try? captured.record(DirectEncoder(session.redactor)) }
        // Through `connect`'s dispatch it comes back to this store too.
        let isKept = scope?.held.map { $0.store != name && $0.record == record } ?? false
        // What is let go of is the app's: not in the lock either.
        var (reason, same): (String?, [() -> Void]) = (nil, [])
        let isHeld = gate.withLock { gate in
            guard isKept || gate.isLocked, !gate.held.passes(record) else { return false }
            if !isKept {
                let outcome = gate.held.hold(record, isReplaying: gate.isReplaying) { [weak self] in
                    self?.handlers?.dispatch?(action)
                }
                if case .lifted(let found, let others) = outcome {
                    (reason, same) = (found, others)
                    gate.isLocked = false
                    return false
                }
            }
            gate.schedule.cancel()
            return true
        }
        if let reason { lift(reason) }
        withExtendedLifetime(same) {}
        scope?.isHeld = isHeld
        if isHeld, !isKept { scope?.held = (name, record) }
        return isHeld ? output : nil
    }

    /// The app goes on by itself: held any longer it would not come to rest.
    private func lift(_ reason: String) {
        session.submit(
            Job { [name] session in
                session.note("The lock of “\(name)” was lifted: \(reason)", level: "warning")
                session.feed(.lifted(reason))
            })
    }

    func lock(isReplaying: Bool) {
        gate.withLock { ($0.isLocked, $0.isReplaying) = (true, isReplaying) }
    }

    /// Lets the app go on where the store lives, so that nothing of its own comes between what was held.
    func unlock(discards: Bool) {
        guard let handlers else { return unlock(nil, discards: discards) }
        let hand = UncheckedSendable(handlers)
        handlers.run { [self] in unlock(hand.value, discards: discards) }
    }

    private func unlock(_ handlers: StoreHandlers<State, Action>?, discards: Bool) {
        let held = gate.withLock { gate in
            gate.isLocked = false
            return gate.held.take()
        }
        let canDispatch = handlers?.dispatch != nil
        let lost = held.dropped + (discards || !canDispatch ? held.waiting.count : 0)
        if lost > 0 {
            let what = lost == 1 ? "1 action of “\(name)” was" : "\(lost) actions of “\(name)” were"
            session.submit(Job { $0.note("\(what) dropped, which came while it was locked") })
        }
        if !discards, canDispatch { for dispatch in held.waiting { dispatch() } }
    }

    func pause() {
        gate.withLock { $0.isPaused = true }
    }

    /// The tape goes on with the whole state: the store's, if it can be asked, else the one after the next action.
    func resume() {
        forgetBase()
        gate.withLock { $0.isPaused = false }
        guard let handlers, handlers.state != nil else { return }
        let hand = UncheckedSendable(handlers)
        handlers.run { [self] in
            let recorded = gate.withLock { $0.schedule.recorded }
            guard let state = hand.value.now() else { return }
            let sample = sample(.replace, at: session.now, state, cause: ["control": "recording"])
            gate.withLock { gate in
                guard gate.schedule.isCurrent(after: recorded), gate.handlers === hand.value else { return }
                _ = gate.schedule.begin(at: sample.at, always: true)
                gate.leave(sample, for: session)
            }
        }
    }
}
