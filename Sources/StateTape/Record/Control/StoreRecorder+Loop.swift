import TapeFormat

// A loop: recorded actions run again in the running app, which then continues where it was.
extension StoreRecorder {
    /// Remembers the store's state, on the store's isolation.
    ///
    /// - Returns: False if the state can't be read.
    func remember(for loop: String, in handlers: StoreHandlers<State, Action>) -> Bool {
        guard let state = handlers.now() else { return remembered.withLock { $0?.loop == loop } }
        let kept = KeptState(state)
        remembered.withLockUnchecked { $0 = (loop, kept) }
        return true
    }

    /// Remembers the state that was recorded last, for a store whose state can't be read.
    func rememberRecorded(for loop: String, in session: isolated RecordingSession) {
        guard handlers?.state == nil, let state = recorded(in: session) else { return }
        let kept = KeptState(state)
        remembered.withLockUnchecked { $0 = (loop, kept) }
    }

    func putBack(from loop: String, _ done: @escaping @Sendable () -> Void) {
        guard let handlers else { return done() }
        handlers.run { [self] in
            putBack(from: loop, in: handlers)
            done()
        }
    }

    private func putBack(from loop: String?, in handlers: StoreHandlers<State, Action>?) {
        let before = remembered.withLock { remembered -> (loop: String, state: KeptState<State>)? in
            // The next loop may have remembered its state already.
            guard remembered?.loop == loop else { return nil }
            defer { remembered = nil }
            return remembered
        }
        guard let before, let play = handlers?.play else { return }
        replace(before.state.state, cause: ["loop": .string(before.loop), "end": true], answer: nil)
        shared.withLock { $0.isSettling = handlers?.state == nil }
        play(before.state.state)
    }

    func endLoop(_ loop: String?, isLocked: Bool) {
        let lock = shared.withLock { isLocked ? $0.locks : $0.beginUnlocking() }
        guard let handlers else { return endLoop(loop, lock, nil, isLocked: isLocked) }
        handlers.run { [self] in endLoop(loop, lock, handlers, isLocked: isLocked) }
        if !isLocked { watchUnlocking(lock) }
    }

    private func endLoop(
        _ loop: String?, _ lock: Int, _ handlers: StoreHandlers<State, Action>?, isLocked: Bool
    ) {
        putBack(from: loop, in: handlers)
        noteDropped(shared.withLock { $0.endLoop(lock) })
        if !isLocked { unlock(lock, handlers, discards: false) }
    }
}
