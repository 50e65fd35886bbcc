import DispatchContext
import StateCapture
import TapeFormat
import TapeUplink

// Pauses the recording and queues the app's own actions.
extension StoreRecorder {
    /// Whether work that the app starts now must wait, since its action will be queued, or is a replayed one.
    var isHeld: Bool {
        let (isLocked, isUnlocking) = shared.withLock { ($0.isLocked, $0.isDispatchingQueue) }
        guard isLocked, isUnlocking else { return isLocked }
        // Queued actions pass, and new ones are queued behind them. What is neither known to be one nor the other may
        // be a queued one.
        let queued = DispatchScope.current(of: session)?.queued
        queued?.isAsked = true
        if queued != nil, shared.withLock({ $0.held.isAwaiting }) { return false }
        return RunningDispatch.origin(for: ObjectIdentifier(self)).map { $0.queued == nil } ?? false
    }

    /// Whether actions that are reduced now are replayed ones, whose effects must not start.
    var isReplaying: Bool { shared.withLock { $0.isReplaying } }

    /// What becomes of an action while the app is locked.
    enum Holding<Output> {
        /// It is queued or dropped, and `record` returns this in place of the reducer's result.
        case held(Output)
        /// It is reduced, but its effects must not start.
        case replayed
        /// It is reduced: the lock is gone, or it was queued before, or there is no value to return.
        case reduced
    }

    /// Queues an action until the app is unlocked. If it reaches several stores, all of them queue it or all reduce it.
    func hold<Output>(
        _ action: Action, _ captured: any CapturedAction, _ isLocked: Bool, _ origin: Origin, _ scope: DispatchScope?,
        _ held: () -> Output?
    ) -> Holding<Output> {
        scope?.queued?.isInPlace = true
        let decision = scope?.isHeld ?? isLocked
        let isOthers = isLocked && scope?.pushed.map { $0.isReplay && $0.store != name } ?? false
        guard decision || isOthers, let output = held() ?? (() as? Output) else {
            if scope?.isHeld == nil { scope?.decide(isHeld: false) }
            return .reduced
        }
        if isOthers {
            shared.withLock { $0.cancel(from: session) }
            return .held(output)
        }
        // Encoding runs the app's code, so it stays outside the lock.
        let record = EncodingMark.set { try? captured.record(DirectEncoder(session.redactor)) }
        // Another store has queued it; that store's dispatch reaches this store too.
        let isKept = scope?.held.map { $0.store != name && $0.record == record } ?? false
        let own = ObjectIdentifier(self)
        if let scope, let queued = scope.queued, queued.id.store != own, scope.number != nil, scope.isHeld == nil,
            queued.record == record
        {
            // Another store's queued action is back.
            scope.decide(isHeld: false)
            return .reduced
        }
        // Releasing these closures runs the app's code, so they outlive the lock.
        var (reason, same, count): (String?, [(QueuedID?) -> Void], Int?) = (nil, [], nil)
        var next: Int?
        let admission: StoreState.Admission? = shared.withLockUnchecked { shared in
            guard isKept || shared.isLocked else { return .returned }
            let admission = shared.admission(
                of: record, queued: origin.queued.flatMap { $0.store == own ? $0.number : nil },
                isInDispatch: scope?.queued?.id.store == own)
            switch admission {
            case .replayed: return admission
            case .returned:
                shared.isSettling = false
                if shared.held.isNextDue { next = shared.locks }
                return admission
            case .heldAgain, .new: break
            }
            if !isKept, admission == .new {
                let outcome = shared.held.hold(record, shared.lock) { [weak self] queued in
                    guard let dispatch = self?.handlers?.dispatch else { return }
                    origin.dispatching(as: queued) { dispatch(action) }
                }
                switch outcome {
                case .held, .dropped: break
                case .heldLast(let found): reason = found
                case .lifted(let found, let others):
                    (reason, same) = (found, others)
                    shared.lift()
                    return .returned
                }
                count = shared.held.count
                // Nothing else dispatches it.
                if shared.isSettling, shared.isDispatchingQueue, !shared.held.isAwaiting { next = shared.locks }
            }
            shared.cancel(from: session)
            return nil
        }
        if let reason { lift(reason) }
        if let count { session.submit(Job { [name] in $0.feed(.queued(store: name, count)) }) }
        withExtendedLifetime(same) {}
        scope?.decide(isHeld: admission == nil)
        if admission == nil, !isKept { scope?.held = (name, record) }
        if let next { continueQueue(next) }
        return switch admission {
        case nil: .held(output)
        case .replayed?: .replayed
        default: .reduced
        }
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

    func onUnlock(_ body: @escaping @Sendable () -> Void) {
        unlocked.withLock { $0.append(body) }
    }

    /// Notes how many actions came while the app was locked and don't run.
    func noteDropped(_ count: Int) {
        guard count > 0 else { return }
        let what = count == 1 ? "1 action of “\(name)” was" : "\(count) actions of “\(name)” were"
        session.submit(Job { $0.note("\(what) dropped, because the app was locked") })
    }

    func pause() {
        shared.withLock { $0.isPaused = true }
    }

    /// Resumes recording with a whole state: the store's current one, or the next action's if the store can't return
    /// one.
    func resume(in session: isolated RecordingSession) {
        forgetBase(in: session)
        shared.withLock { shared in
            shared.isPaused = false
            shared.schedule.resume()
        }
        guard let handlers, handlers.state != nil else { return }
        handlers.run { [self] in
            let recorded = shared.withLock { $0.schedule.recorded }
            guard let state = handlers.now() else { return }
            let event = withUnsafePointer(to: state) {
                makeEvent(.replace(), at: session.now, $0, cause: ["control": "recording"])
            }
            shared.withLockUnchecked { shared in
                guard shared.schedule.isCurrent(after: recorded), shared.handlers === handlers else { return }
                _ = shared.schedule.begin(at: event.at, always: true)
                shared.leave(event, for: session)
            }
        }
    }
}
