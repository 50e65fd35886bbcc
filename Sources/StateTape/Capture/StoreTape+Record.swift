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
        let at = session.now
        let isWanted = enter(state, at: at)
        let captured = actions.capture(action, actionLayouts)
        defer {
            let took = session.now - at
            let snapshot = isWanted ? snapshot(of: state) : nil
            leave(StateSample(self, .action(captured, took: took, caller), at: at, state: snapshot))
        }
        return try reduce(&state)
    }

    func set<Output, Failure: Error>(
        _ state: inout State, _ change: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let at = session.now
        _ = enter(state, at: at, always: true)
        defer { leave(StateSample(self, .replace, at: at, state: snapshot(of: state), cause: ["set": true])) }
        return try change(&state)
    }

    /// A state is about to be played in.
    func replace(_ state: State, cause: JSON, answer: PushAnswer) {
        let at = session.now
        _ = enter(state, at: at, always: true)
        leave(StateSample(self, .replace, at: at, state: snapshot(of: state), cause: cause, answer: answer))
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

    /// Begins a recording.
    ///
    /// - Returns: Whether the state after it is to be captured.
    private func enter(_ state: State, at: Duration, always: Bool = false) -> Bool {
        func begin() -> Bool? {
            shared.withLock { $0.isBegun ? $0.demand.begin(at: at, always: always) : nil }
        }
        if let isWanted = begin() { return isWanted }
        beginIfNeeded(with: state)
        return begin() ?? false
    }

    /// Ends a recording and leaves its event for the recorder's thread.
    private func leave(_ sample: StateSample<State, Action>) {
        // Left within the lock: a recording has ended when its event has its place.
        shared.withLock { shared in
            let hasState = sample.state != nil
            if hasState { sample.cost = shared.cost }
            shared.demand.end(hasState: hasState, isFull: session.submit(sample))
        }
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
            let at = session.now
            let sample = StateSample(self, .initial, at: at, state: snapshot, cause: cause, answer: answer)
            sample.cost = shared.cost
            // Left within the lock: no other event of this store may come before it.
            _ = shared.demand.begin(at: at, always: true)
            shared.demand.end(hasState: true, isFull: session.submit(sample))
            return true
        }
    }
}
