import TapeFormat

// A state that no action brings: the one that the store has when the app has fallen quiet.
extension StoreTape {
    func ask() {
        gate.withLock { $0.demand.ask() }
    }

    func loseEvents() {
        forgetBase()
        gate.withLock { $0.demand.lose() }
    }

    func loseState() {
        gate.withLock { $0.demand.lose() }
    }

    func fallQuiet() { fallQuiet(isWaitOver: false) }

    private func fallQuiet(isWaitOver: Bool) {
        let now = session.now
        let wait = gate.withLock { $0.isPaused ? nil : $0.demand.fallQuiet(at: now, isWaitOver: isWaitOver) }
        guard let wait else { return }
        guard wait > .zero else { return trail() }
        session.after(wait) { [weak self] _ in self?.fallQuiet(isWaitOver: true) }
    }

    /// Asks the store for its state, between two actions.
    private func trail() {
        guard let seat, seat.state != nil else { return }
        let hand = Carried(seat)
        seat.run { [self] in trail(hand.value) }
    }

    /// Writes down the state that the store has, unless something was recorded meanwhile: the next quiet time is soon.
    private func trail(_ seat: Seat<State, Action>) {
        let recorded = gate.withLock { $0.demand.recorded }
        guard let state = seat.now() else { return }
        let at = session.now
        let sample = sample(.replace, at: at, state, cause: ["capture": "trailing"])
        gate.withLock { gate in
            // A seat that was left has no more events.
            guard gate.seat === seat, gate.demand.trail(after: recorded, at: at) else { return }
            sample.cost = gate.cost
            session.submit(sample)
        }
    }
}
