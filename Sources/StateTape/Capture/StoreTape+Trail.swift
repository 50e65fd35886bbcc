import TapeFormat

// A state that no action brings: the one that the store has when the app has fallen quiet.
extension StoreTape {
    /// A state was written: another may be taken.
    func ask() {
        shared.withLock { $0.demand.ask() }
    }

    func loseEvents() {
        forgetBase()
        shared.withLock { $0.demand.lose() }
    }

    func fallQuiet() { fallQuiet(isWaitOver: false) }

    private func fallQuiet(isWaitOver: Bool) {
        let now = session.now
        let wait = shared.withLock { $0.demand.fallQuiet(at: now, isWaitOver: isWaitOver) }
        guard let wait else { return }
        guard wait > .zero else { return trail() }
        session.after(wait) { [weak self] _ in self?.fallQuiet(isWaitOver: true) }
    }

    /// Asks the store for its state, between two actions.
    private func trail() {
        guard let seat = shared.withLock({ $0.seat }), seat.state != nil else { return }
        let hand = Carried(seat)
        seat.run { [self] in trail(hand.value) }
    }

    /// Writes down the state that the store has, unless something was recorded meanwhile: the next quiet time is soon.
    private func trail(_ seat: Seat<State, Action>) {
        let recorded = shared.withLock { $0.demand.recorded }
        guard let state = seat.state?() else { return }
        let at = session.now
        let sample = StateSample(
            self, .replace, at: at, state: snapshot(of: state), cause: ["capture": "trailing"])
        shared.withLock { shared in
            // A seat that was left has no more events.
            guard shared.seat === seat, shared.demand.trail(after: recorded, at: at) else { return }
            sample.cost = shared.cost
            session.submit(sample)
        }
    }
}
