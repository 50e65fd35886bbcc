import DispatchContext
import TapeFormat

// Pauses the recording and queues the app's own actions.
extension StoreRecorder {
    /// Whether the app is locked. An action that is reduced meanwhile is a replayed one.
    var isLocked: Bool { shared.withLock { $0.isLocked } }

    /// Queues an action until the app is unlocked. If it reaches several stores, all of them queue it or all reduce it.
    ///
    /// - Returns: The value that `record` returns in place of the reducer's result. Nil if the store must reduce the
    ///   action now: it is a replayed one, the lock is gone, or there is no value to return.
    func hold<Output>(
        _ action: Action, _ captured: any CapturedAction, _ isLocked: Bool, _ origin: Origin, _ scope: DispatchScope?,
        _ held: () -> Output?
    ) -> Output? {
        let decision = scope?.isHeld ?? isLocked
        let isOthers = isLocked && scope?.pushed.map { $0.isReplay && $0.store != name } ?? false
        guard decision || isOthers, let output = held() ?? (() as? Output) else {
            if scope?.isHeld == nil { scope?.isHeld = false }
            return nil
        }
        if isOthers {
            shared.withLock { $0.schedule.cancel() }
            return output
        }
        // Encoding runs the app's code, so it stays outside the lock.
        let record = EncodingMark.set { try? captured.record(DirectEncoder(session.redactor)) }
        // Another store has queued it; that store's dispatch reaches this store too.
        let isKept = scope?.held.map { $0.store != name && $0.record == record } ?? false
        // Releasing these closures runs the app's code, so they outlive the lock.
        var (reason, same, count): (String?, [() -> Void], Int?) = (nil, [], nil)
        let isHeld = shared.withLock { shared in
            guard isKept || shared.isLocked, !shared.held.passes(record) else { return false }
            if !isKept {
                let outcome = shared.held.hold(record, shared.lock) { [weak self] in
                    guard let dispatch = self?.handlers?.dispatch else { return }
                    origin.dispatching { dispatch(action) }
                }
                switch outcome {
                case .held, .dropped: break
                case .heldLast(let found): reason = found
                case .lifted(let found, let others):
                    (reason, same) = (found, others)
                    shared.lift()
                    return false
                }
                count = shared.held.count
            }
            shared.schedule.cancel()
            return true
        }
        if let reason { lift(reason) }
        if let count { session.submit(Job { [name] in $0.feed(.queued(store: name, count)) }) }
        withExtendedLifetime(same) {}
        scope?.isHeld = isHeld
        if isHeld, !isKept { scope?.held = (name, record) }
        return isHeld ? output : nil
    }

    /// Reports that the lock was lifted, because the app would not come to rest while locked.
    private func lift(_ reason: String) {
        session.submit(
            Job { [name] session in
                session.note("The lock of “\(name)” was lifted: \(reason)", level: "warning")
                session.feed(.lifted(reason))
            })
    }

    func lock(_ kind: LockKind) {
        shared.withLock { $0.lock(kind) }
    }

    /// Unlocks on the store's isolation, so that no new action of the app runs between the queued ones.
    func unlock(discards: Bool, keeps: Bool) {
        let lock = shared.withLock { $0.locks }
        guard let handlers else { return unlock(lock, nil, discards: discards, keeps: keeps) }
        let hand = UncheckedSendable(handlers)
        handlers.run { [self] in unlock(lock, hand.value, discards: discards, keeps: keeps) }
    }

    /// - Parameter lock: The number of the lock that ends. If the next one has begun, the app stays locked, and the
    ///   queued actions wait for that one's end.
    func unlock(_ lock: Int, _ handlers: StoreHandlers<State, Action>?, discards: Bool, keeps: Bool = false) {
        // The queued actions run on the state that the app continues with.
        endTravel(in: handlers, keeps: keeps)
        let (isUnlocked, held) = shared.withLock { shared in
            let isUnlocked = shared.unlock(lock)
            return (isUnlocked, isUnlocked || discards ? shared.held.take() : (waiting: [], dropped: 0))
        }
        let canDispatch = handlers?.dispatch != nil
        let lost = held.dropped + (discards || !canDispatch ? held.waiting.count : 0)
        noteDropped(lost)
        if !discards, canDispatch { for dispatch in held.waiting { dispatch() } }
        if isUnlocked { for body in unlocked.withLock({ $0 }) { body() } }
    }

    func onUnlock(_ body: @escaping @Sendable () -> Void) {
        unlocked.withLock { $0.append(body) }
    }

    /// Notes how many actions came while the app was locked and don't run.
    func noteDropped(_ count: Int) {
        guard count > 0 else { return }
        let what = count == 1 ? "1 action of “\(name)” was" : "\(count) actions of “\(name)” were"
        session.submit(Job { $0.note("\(what) dropped, which came while it was locked") })
    }

    func pause() {
        shared.withLock { $0.isPaused = true }
    }

    /// Resumes recording with a whole state: the store's current one, or the next action's if the store can't return
    /// one.
    func resume() {
        forgetBase()
        shared.withLock { shared in
            shared.isPaused = false
            shared.schedule.resume()
        }
        guard let handlers, handlers.state != nil else { return }
        let hand = UncheckedSendable(handlers)
        handlers.run { [self] in
            let recorded = shared.withLock { $0.schedule.recorded }
            guard let state = hand.value.now() else { return }
            let event = makeEvent(.replace, at: session.now, state, cause: ["control": "recording"])
            shared.withLock { shared in
                guard shared.schedule.isCurrent(after: recorded), shared.handlers === hand.value else { return }
                _ = shared.schedule.begin(at: event.at, always: true)
                shared.leave(event, for: session)
            }
        }
    }
}
