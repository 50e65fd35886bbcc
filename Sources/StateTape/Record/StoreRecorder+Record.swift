import DispatchContext
import StateCapture
import TapeFormat
import TapeUplink

// Called on the app's own threads.
extension StoreRecorder {
    /// The state to launch with. Waits for the server, once per process.
    func start() -> State { launched() ?? initial }

    /// The server's launch state; nil if the store launches with its own. Waits like ``start()``.
    func launched() -> State? {
        if !shared.withLock({ $0.isBegun }) { launch() }
        return started.withLock { $0 }?.state
    }

    private func launch() {
        session.starts.wait()
        guard let start = session.starts.begin(name) else { return begin() }
        launch(with: start)
    }

    @inline(never)
    private func launch(with start: Starts.Begin) {
        do {
            let isWhole = start.state.markedPlace == nil
            var outcome = try read(
                start.state, keeping: isWhole ? nil : try? states.tree(of: initial), isLaunch: true)
            MemberKeeper.keep(&outcome, from: initial, session.redactor)
            let push = start.push(into: name)
            let answer = push.isAnswered ? PushAnswer(id: start.id, adjustments: outcome.adjustments) : nil
            let isFirst = withUnsafePointer(to: outcome.value) {
                begin(with: $0, push.cause(outcome.adjustments), answer, isStart: true)
            }
            session.submit(Job { $0.answer(answer) })
            // Another thread began recording without the pushed state.
            if !isFirst { playLate(start) }
        } catch {
            begin()
            session.submit(Job { $0.fail(start.id, error) })
        }
    }

    /// Records the app's own initial state as the first one.
    private func begin() {
        begin(with: launchState.place)
    }

    /// - Parameters:
    ///   - dispatch: The dispatch of the action; nil if it is unknown.
    ///   - callSite: The call site of an unknown dispatch; nil if that is unknown, too.
    ///   - held: Returns an output in place of the reducer's while the app is locked; nil if there is no such value.
    func record<Output, Failure: Error>(
        _ action: Action, _ state: inout State, of dispatch: RecordedDispatch?, _ callSite: CallSite? = nil,
        held: () -> Output?, _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        if EncodingMark.isSet { return try unrecorded(&state, reduce) }
        let at = session.now
        let entry = enter(&state, at: at)
        let taken = Taken(
            action: capture(action), at: at,
            dispatch: dispatch ?? RecordedDispatch(id: makeID(), origin: .of(callSite), isCurrent: false),
            scope: DispatchScope.current(of: session), entry: entry)
        guard entry.isLocked || taken.scope != nil else { return try record(taken, &state, reduce) }
        return try record(action, taken, &state, held, reduce)
    }

    /// Captures an action, in a function of its own: its copies of a large action are gone from the stack when the
    /// reducer runs.
    private func capture(_ action: Action) -> any CapturedAction {
        let size = MemoryLayout<Action>.size
        if size > 4_096, ThreadStack.free < ThreadStack.reserve + 3 * UInt(size) {
            return OversizedAction(Action.self, bytes: size)
        }
        return actionLayouts == nil
            ? actions.capture(action, nil) : EncodingMark.set { actions.capture(action, actionLayouts) }
    }

    /// Runs a reducer or a change that recording itself caused, without recording it.
    @inline(never)
    private func unrecorded<Output, Failure: Error>(
        _ state: inout State, _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let text = """
            An action of “\(name)” is not recorded: it was dispatched while the recorder encoded something or asked for a \
            state
            """
        let isFirst = shared.withLock { shared in
            defer { shared.isUnrecordedTold = true }
            return !shared.isUnrecordedTold
        }
        if isFirst { session.submit(Job(isDroppable: true) { $0.note(text, level: "warning") }) }
        return try reduce(&state)
    }

    /// Queues an action, or records it.
    // A separate method: an optional of the output type needs a runtime lookup, which other actions need not pay for.
    @inline(never)
    private func record<Output, Failure: Error>(
        _ action: Action, _ taken: Taken, _ state: inout State, _ held: () -> Output?,
        _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        switch hold(action, taken.action, taken.entry.isLocked, taken.dispatch.origin, taken.scope, held) {
        case .held(let output): return output
        case .reduced: return try record(taken, &state, reduce)
        case .replayed:
            let output = try record(taken, &state, reduce)
            // The tape already has the actions that its effects dispatch.
            return held() ?? output
        }
    }

    private func record<Output, Failure: Error>(
        _ taken: Taken, _ state: inout State, _ reduce: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        if taken.entry.isClosed { return try reduce(&state) }
        let at = taken.at
        let (captured, place) =
            taken.entry.isPaused ? (taken.action, nil) : keep(taken, at: at)
        var thrown: (any Error)?
        // The reducer's time, without the recorder's. Where that has encoded nothing, it took less than the tape's
        // smallest time, and a look at the clock would take a tenth of the recording.
        let began = place == nil && actionLayouts == nil && taken.entry.isShort ? at : session.now
        defer {
            let took = session.now - began
            place.map(session.pending.reduced)
            let error = thrown.map { ErrorText.of($0, session.redactor) }
            let kind = StoreEvent.Kind.action(captured, took: took, error: error, taken.dispatch, taken.scope)
            let looks = taken.entry.isWanted && !taken.entry.isPaused && arrays?.begin() == true
            let pending =
                taken.entry.isWanted
                ? withUnsafePointer(to: &state) { makeEvent(kind, at: at, $0, arrays: looks ? arrays : nil) }
                : StoreEvent(self, kind, at: at)
            pending.place = error == nil ? place : place.map { session.pending.failed($0, error ?? "") }
            // An action that could not be encoded early is long. The length of one that was not tried is unknown.
            let guess = place == nil && !taken.entry.isFull ? 1_024 : PendingActions.longest
            pending.weight = captured.length ?? guess
            leave(pending)
            if looks { arrays?.end() }
        }
        do {
            if taken.dispatch.isCurrent { return try reduce(&state) }
            return try EventID.$current.withValue(taken.dispatch.id) { try reduce(&state) }
        } catch {
            thrown = error
            // Only the reducer throws here, but `withValue` does not name the type.
            throw error as! Failure
        }
    }

    func set<Output, Failure: Error>(
        _ state: inout State, _ change: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        if EncodingMark.isSet { return try unrecorded(&state, change) }
        let at = session.now
        let entry = enter(&state, at: at, always: true)
        if entry.isClosed { return try change(&state) }
        var thrown: Failure?
        defer {
            let looks = entry.isWanted && arrays?.begin() == true
            let kind = StoreEvent.Kind.replace(error: thrown.map { ErrorText.of($0, session.redactor) })
            let cause: JSON = ["set": true]
            leave(
                entry.isWanted
                    ? withUnsafePointer(to: &state) {
                        makeEvent(kind, at: at, $0, cause: cause, arrays: looks ? arrays : nil)
                    }
                    : StoreEvent(self, kind, at: at, cause: cause))
            if looks { arrays?.end() }
        }
        do {
            return try change(&state)
        } catch {
            thrown = error
            throw error
        }
    }

    /// Records a state that is about to be applied.
    func replace(_ state: State, cause: JSON, answer: PushAnswer?) {
        let at = session.now
        withUnsafePointer(to: state) { state in
            if enter(state, at: at, always: true, insists: true).isClosed { return }
            leave(makeEvent(.replace(), at: at, state, cause: cause, answer: answer), isOwn: false)
        }
    }

    /// - Parameter now: The store's state, if available.
    func connect(_ handlers: StoreHandlers<State, Action>, now: State?) {
        if let now { withUnsafePointer(to: now) { beginIfNeeded(with: $0) } } else { beginIfNeeded(with: nil) }
        // The handlers are the app's, so the previous ones are released outside of the lock.
        let before = shared.withLock { shared in
            defer { shared.handlers = handlers }
            return shared.handlers
        }
        if handlers.state != nil {
            // The store can be asked for its state.
            let kept = latest.withLockUnchecked { latest in
                defer { latest = (isKept: false, state: nil) }
                return latest.state
            }
            withExtendedLifetime(kept) {}
        }
        session.storeConnected()
        withExtendedLifetime(before) {}
    }

    /// The store is gone.
    func detach() {
        let (wasBegun, handlers) = shared.withLock { shared in
            defer { shared.handlers = nil }
            // No more replayed actions are reduced.
            shared.held.endReplay()
            return (shared.isBegun, shared.handlers)
        }
        withExtendedLifetime(handlers) {}
        session.detach(self, wasBegun: wasBegun)
    }

    /// Begins a recording.
    ///
    /// - Returns: Whether to capture the state afterwards, and the server's settings.
    private func enter(
        _ state: UnsafePointer<State>, at: Duration, always: Bool = false, insists: Bool = false
    ) -> StoreState.Entry {
        let entry = shared.enter(at: at, always: always, insists: insists)
        if entry.isBegun { return entry }
        beginIfNeeded(with: state)
        var first = shared.enter(at: at, always: always, insists: insists)
        first.isFirst = true
        return first
    }

    /// Stores an action before its reducer runs, so that it survives a crash of the process.
    ///
    /// - Returns: The action to record, already encoded if that was needed.
    private func keep(_ taken: Taken, at: Duration) -> (any CapturedAction, PendingActions.Place?) {
        let action = taken.action
        let isSafe = session.spoolFolder != nil && session.pending.isOpen
        guard isSafe || taken.entry.isFull else { return (action, nil) }
        // Another thread may be using it, or an action that this action's reducer dispatches.
        let free = actionEncoder.withLock { actionEncoder in
            defer { actionEncoder = nil }
            return actionEncoder
        }
        let actionEncoder = free ?? ActionEncoder(session.redactor)
        defer { self.actionEncoder.withLockUnchecked { $0 = actionEncoder } }
        let buffer = actionEncoder.buffer
        buffer.clear()
        PendingActions.begin(store: name, at: at, caller: taken.dispatch.origin.callSite) {
            buffer.append($0)
        }
        let start = buffer.count
        var kept: KeptAction?
        do {
            let size = MemoryLayout<Action>.size
            guard size <= 4_096 || ThreadStack.free > ThreadStack.reserve + 8 * UInt(size) else { throw NoRoom() }
            try EncodingMark.set {
                try actionEncoder.encoder.encoding(atMost: PendingActions.longest - start) {
                    try action.write(to: actionEncoder)
                }
            }
            kept = KeptAction(text: buffer.array(from: start))
            tell(actionEncoder.encoder.takeUnencodable(), isAction: true)
        } catch {
            // The recorder's thread reports the error, and encodes long and large actions.
        }
        guard isSafe else { return (kept ?? action, nil) }
        if kept == nil || buffer.count > PendingActions.longest {
            buffer.truncate(to: start)
            buffer.append(action.nameAlone)
        }
        return (kept ?? action, session.pending.put(buffer.borrowed))
    }

    /// Ends a recording and submits its event to the recorder's thread.
    private func leave(_ event: StoreEvent, isOwn: Bool = true) {
        shared.leave(event, for: session, isOwn: isOwn)
    }

    /// - Parameter state: Nil for the initial state.
    private func beginIfNeeded(with state: UnsafePointer<State>?) {
        guard !shared.withLock({ $0.isBegun || $0.isClosed }) else { return }
        if let start = session.starts.begin(name) { playLate(start) }
        if let state { begin(with: state) } else { begin() }
    }

    private func playLate(_ start: Starts.Begin) {
        session.playLate(start.push(into: name))
    }

    /// Records the `init` event, once.
    ///
    /// - Returns: Whether this call recorded it.
    @discardableResult
    private func begin(
        with state: UnsafePointer<State>, _ cause: JSON? = nil, _ answer: PushAnswer? = nil, isStart: Bool = false
    ) -> Bool {
        let at = session.now
        // Making the event may run the app's code, so it stays outside of the lock.
        let isClosed = shared.withLock { $0.isClosed }
        let event = isClosed ? nil : makeEvent(.initial, at: at, state, cause: cause, answer: answer)
        return shared.withLockUnchecked { shared in
            guard !shared.isBegun else { return false }
            shared.isBegun = true
            if isStart { started.withLockUnchecked { $0 = KeptState(state.pointee) } }
            guard let event else { return true }
            _ = shared.schedule.begin(at: at, always: true, insists: true)
            shared.leave(event, for: session)
            return true
        }
    }
}

/// The stack has no room to encode a large action.
private struct NoRoom: Error {}

/// An action as the store receives it.
private struct Taken {
    let action: any CapturedAction
    let at: Duration
    let dispatch: RecordedDispatch
    let scope: DispatchScope?
    let entry: StoreState.Entry
}
