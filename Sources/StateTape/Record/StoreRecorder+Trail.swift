import TapeFormat

// The trailing state: the store's state when the app has become idle, recorded without an action.
extension StoreRecorder {
    func wroteState() {
        shared.withLock { $0.schedule.wrote() }
    }

    func loseEvents(in session: isolated RecordingSession) {
        forgetBase(in: session)
        shared.withLock { $0.schedule.lose() }
    }

    func loseState() {
        shared.withLock { $0.schedule.lose() }
    }

    func didBecomeIdle(in session: isolated RecordingSession) {
        tellSkipped(in: session)
        didBecomeIdle(isWaitOver: false)
    }

    func tellSkipped(in session: isolated RecordingSession) {
        let own = own(in: session)
        guard let burst = own.skipped else { return }
        own.skipped = nil
        session.note(burst.note(store: name), level: "warning")
    }

    private func didBecomeIdle(isWaitOver: Bool) {
        let now = session.now
        let wait = shared.withLock { shared in
            shared.isPaused || shared.isClosed ? nil : shared.schedule.didBecomeIdle(at: now, isWaitOver: isWaitOver)
        }
        guard let wait else { return }
        guard wait > .zero else { return trail() }
        session.after(wait) { [weak self] _ in self?.didBecomeIdle(isWaitOver: true) }
    }

    /// Asks the store for its state, between two actions.
    private func trail() {
        guard let handlers, handlers.state != nil else { return }
        handlers.run { [self] in trail(handlers) }
    }

    /// Records the store's state, unless an event was recorded meanwhile: the app soon becomes idle again.
    private func trail(_ handlers: StoreHandlers<State, Action>) {
        let recorded = shared.withLock { $0.schedule.recorded }
        guard let state = handlers.now() else { return }
        let at = session.now
        let event = withUnsafePointer(to: state) {
            makeEvent(.replace(), at: at, $0, cause: StoreEvent.trailing)
        }
        shared.withLock { shared in
            // Handlers that were replaced or removed record no more events.
            guard shared.handlers === handlers, shared.schedule.trail(after: recorded, at: at) else { return }
            event.cost = shared.cost
            session.submit(event)
        }
    }
}
