import DispatchContext
import TapeFormat

// Ends a lock: the queued actions go back into the store in their order, and newer ones come after them.
//
// A store may reduce an action long after its dispatch has returned, on a queue, an actor or a task of its own. So one
// queued action is dispatched at a time, and until the last one is back, the app's new actions are queued behind them.
extension StoreRecorder {
    /// How many actions are dispatched before the isolation's other work gets its turn.
    private static var turn: Int { 2 * HeldActions.limit }

    /// Unlocks on the store's isolation.
    func unlock(discards: Bool, keeps: Bool) {
        let lock = shared.withLock { $0.beginUnlocking() }
        guard let handlers else { return unlock(lock, nil, discards: discards, keeps: keeps) }
        handlers.run { [self] in unlock(lock, handlers, discards: discards, keeps: keeps) }
        watchUnlocking(lock)
    }

    /// - Parameter lock: The number of the lock that ends. If the next one has begun, the app stays locked, and the
    ///   queued actions wait for that one's end.
    func unlock(_ lock: Int, _ handlers: StoreHandlers<State, Action>?, discards: Bool, keeps: Bool = false) {
        noteDropped(shared.withLock { $0.startUnlocking(lock) })
        // The queued actions run on the state that the app continues with.
        endTravel(in: handlers, keeps: keeps)
        guard discards || handlers?.dispatch == nil else { return runQueue(lock) }
        discard(lock, always: discards)
    }

    private func discard(_ lock: Int, always: Bool) {
        // Releasing the actions runs the app's code, so they outlive the lock.
        let (last, result) = shared.withLock { ($0.held.last, $0.discard(lock, always: always)) }
        withExtendedLifetime(last) {}
        noteDropped(result.dropped.count)
        if result.isUnlocked { didUnlock() }
    }

    /// Dispatches the queued actions, as long as each is back when its dispatch returns; on the store's isolation.
    private func runQueue(_ lock: Int) {
        for _ in 0..<Self.turn {
            // The store may be gone meanwhile.
            guard handlers?.dispatch != nil else { return discard(lock, always: false) }
            // Releasing the action before runs the app's code, so it outlives the lock.
            let (last, next) = shared.withLock { ($0.held.last, $0.unlock(lock)) }
            withExtendedLifetime(last) {}
            switch next {
            case .nothing: return
            case .unlocked(let rest):
                for dispatch in rest { dispatch(nil) }
                return didUnlock()
            case .settle:
                // Shorter, an action that the store has yet to reduce could still come before its own state, and be lost.
                return session.after(session.reduceLimit) { [weak self] _ in
                    self?.shared.withLock { $0.isSettling = false }
                    self?.continueQueue(lock)
                }
            case .dispatch(let held):
                guard isBack(held, lock) else { return }
            }
        }
        continueQueue(lock)
    }

    /// Dispatches the next queued actions on the store's isolation.
    func continueQueue(_ lock: Int) {
        guard let handlers else { return discard(lock, always: false) }
        handlers.run { [self] in runQueue(lock) }
    }

    /// Dispatches a queued action.
    ///
    /// - Returns: Whether the next one is due. Otherwise it is once this one is back.
    private func isBack(_ held: HeldActions.Held, _ lock: Int) -> Bool {
        let queued = QueuedDispatch(
            QueuedID(store: ObjectIdentifier(self), number: held.number), held.record)
        DispatchScope(of: session, queued: queued).run { held.dispatch(queued.id) }
        let isDue = shared.withLockUnchecked { shared in
            shared.isInPlace = shared.isInPlace || queued.isInPlace
            let isInPlace = queued.isInPlace || queued.isAsked && shared.isInPlace
            return shared.held.returned(held.number, isInPlace: isInPlace)
        }
        if isDue { return true }
        let (isAsked, number) = (queued.isAsked, held.number)
        session.after(isAsked ? session.reduceLimit / 8 : session.reduceLimit) { [weak self] session in
            guard let self, let type = shared.withLock({ $0.giveUp(on: number, lock, isAction: !isAsked) }) else {
                return
            }
            let limit = "\(session.reduceLimit.components.seconds) s"
            if !isAsked {
                noteOrder("“\(type)” was not reduced within \(limit), or a middleware stopped it")
            }
            continueQueue(lock)
        }
        return false
    }

    private func didUnlock() {
        for body in unlocked.withLock({ $0 }) { body() }
        // What was pushed meanwhile comes after the queued actions.
        session.storeConnected()
    }

    /// Unlocks an app whose closures don't run, since one of them has not returned. The queue follows when it has.
    func watchUnlocking(_ lock: Int) {
        session.after(session.unlockLimit) { [weak self] session in
            guard let self, shared.withLock({ $0.giveUpWaiting(for: lock) }) else { return }
            let limit = "\(session.unlockLimit.components.seconds) s"
            noteOrder("the closures of “connect” could not run for \(limit)")
        }
    }

    /// Notes once that newer actions may have come before queued ones.
    private func noteOrder(_ reason: String) {
        let isTold = shared.withLock { shared in
            defer { shared.isOrderTold = true }
            return shared.isOrderTold
        }
        if isTold { return }
        let text = "Queued actions of “\(name)” may run after newer ones: \(reason)"
        session.submit(Job { $0.note(text, level: "warning") })
    }
}
