import TapeFormat

// What the app's own threads call.
extension StoreTape {
    /// The state to begin with. Waits for the server, once per process.
    func start() -> State {
        if let state = shared.withLock({ $0.isBegun ? $0.started ?? initial : nil }) { return state }
        session.starts.wait()
        guard let start = session.starts.begin(name) else {
            begin(with: initial)
            return shared.withLock { $0.started } ?? initial
        }
        do {
            let outcome = try states.read(start.state, try? states.tree(of: initial))
            let answer = PushAnswer(id: start.id, filled: outcome.filled, ignored: outcome.ignored)
            let isFirst = begin(with: outcome.value, ["push": .string(start.id)], answer) { $0.started = outcome.value }
            // Another thread has begun without it.
            if !isFirst { playLate(start) }
        } catch {
            begin(with: initial)
            session.submit(Step { $0.fail(start.id, error) })
        }
        return shared.withLock { $0.started } ?? initial
    }

    func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, _ caller: Caller?,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        beginIfNeeded(with: state)
        let captured = actions.capture(action, actionLayouts)
        let at = session.now
        defer { leave(.action(captured, took: session.now - at, caller), state: state, at: at) }
        return try reduce(&state)
    }

    func set<Output, Failure: Error>(
        _ state: inout State, _ change: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        beginIfNeeded(with: state)
        let at = session.now
        defer { leave(.replace, state: state, at: at, cause: ["set": true]) }
        return try change(&state)
    }

    /// - Parameter now: The store's state, if it can be had.
    func connect(_ seat: Seat<State, Action>, now: State?) {
        beginIfNeeded(with: now ?? initial)
        // What a seat before this one held is let go of outside of the lock: it is the app's.
        let before = shared.withLock { shared in
            defer { shared.seat = seat }
            return shared.seat
        }
        session.storeConnected()
        withExtendedLifetime(before) {}
    }

    /// The store is gone.
    func detach() {
        let (wasBegun, seat) = shared.withLock { shared in
            defer { shared.seat = nil }
            return (shared.isBegun, shared.seat)
        }
        withExtendedLifetime(seat) {}
        guard wasBegun else { return }
        session.submit(Step { $0.append(.detach, store: self.name, at: $0.now) })
    }

    /// Leaves an event with a state for the recorder's thread.
    func leave(
        _ kind: StateSample<State, Action>.Kind, state: State, at: Duration? = nil, cause: JSON? = nil,
        answer: PushAnswer? = nil
    ) {
        let cost = shared.withLock { $0.cost }
        session.submit(
            StateSample(
                self, kind, at: at ?? session.now, state: snapshot(of: state), cost: cost, cause: cause, answer: answer)
        )
    }

    private func beginIfNeeded(with state: State) {
        guard !shared.withLock({ $0.isBegun }) else { return }
        if let start = session.starts.begin(name) { playLate(start) }
        begin(with: state)
    }

    private func playLate(_ start: (id: String, state: JSON)) {
        session.playLate(Push(id: start.id, store: name, content: .state(start.state)))
    }

    /// Writes `init`, the first time.
    ///
    /// - Returns: Whether it was the first.
    @discardableResult
    private func begin(
        with state: State, _ cause: JSON? = nil, _ answer: PushAnswer? = nil,
        _ change: (inout Shared) -> Void = { _ in }
    ) -> Bool {
        // What it takes to make one is the app's: not in the lock.
        let snapshot = snapshot(of: state)
        return shared.withLock { shared in
            guard !shared.isBegun else { return false }
            shared.isBegun = true
            change(&shared)
            // Left within the lock: no other event of this store may come before it.
            session.submit(
                StateSample(self, .initial, at: session.now, state: snapshot, cost: 0, cause: cause, answer: answer))
            return true
        }
    }
}
