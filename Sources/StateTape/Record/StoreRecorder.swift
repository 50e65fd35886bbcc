import DispatchContext
import StateCapture
import TapeFormat
import TapeUplink

/// Records one store: callers submit events, and the recorder's thread writes them.
// Unchecked: all is constant, behind a lock, or the recorder's thread's. No other code uses the copies of states and
// actions that cross threads.
final class StoreRecorder<State, Action>: AnyStoreRecorder, StoreEventWriter, @unchecked Sendable {
    let name: String
    let session: RecordingSession
    let launchState: KeptState<State>
    let states: StateCodec<State>
    let actions: ActionCodec<Action>
    /// The places of a state that are captured; nil for all.
    let slice: Slice?
    /// Why states are encoded on the dispatching thread; nil if encoding can wait.
    let atOnce: AtOnce?
    /// Layouts to inspect each action's type; nil if all actions have one type, whose encoding can wait.
    let actionLayouts: Layouts?
    /// The arrays in states whose encoding can wait; nil if states have none.
    let arrays: StateArrays?
    let shared: Locked<StoreState>
    /// Names the events that no store of `StateTapeStore` names.
    let ids = Locked(EventID.Source())
    /// The state that ``start()`` returns; nil means the initial state.
    let started = Locked<KeptState<State>?>(nil)
    /// The state that was recorded last, of a store whose states are encoded at once and that can't be asked for its
    /// state. The other stores' is in `writer`.
    let latest = Locked<(isKept: Bool, state: KeptState<State>?)>((true, nil))
    /// The state from before a loop, with the loop's id.
    let remembered = Locked<(loop: String, state: KeptState<State>)?>(nil)
    let travel = Locked<Travel<State>?>(nil)
    /// The app's closures to call after each end of a lock.
    let unlocked = Locked<[@Sendable () -> Void]>([])
    /// Cached: looking up the generic type takes longer than all other work on the event.
    let eventType = StateEvent<State>.self
    /// Encodes actions on the dispatching thread; nil while a thread uses it.
    let actionEncoder = Locked<ActionEncoder?>(nil)
    private let writing: ThreadBound<StoreWriting<State>>
    /// Whether several states may fill a thread's stack.
    let isLarge = MemoryLayout<State>.size > 4_096
    let wantsEach: Bool

    init(
        name: String, session: RecordingSession, launchState: KeptState<State>, states: StateCodec<State>,
        actions: ActionCodec<Action>,
        slice: Slice? = nil, rate: Capture.Rate = .every
    ) {
        self.name = name
        self.session = session
        self.launchState = launchState
        self.states = states
        self.actions = actions
        self.slice = slice
        atOnce = states.atOnce(session.layouts)
        actionLayouts = actions.isLookedAt(session.layouts) ? session.layouts : nil
        arrays = atOnce == nil ? StateArrays(in: State.self, session.layouts, session.arrayPolicy) : nil
        let writer = StateWriter(states, slice, session.layouts, session.redactor, isVerifying: session.isVerifying)
        writing = ThreadBound(StoreWriting(writer, session.redactor))
        shared = Locked(StoreState(schedule: CaptureSchedule(rate)))
        wantsEach = rate.isEvery
    }

    func own(in session: isolated RecordingSession) -> StoreWriting<State> { writing.value(in: session) }

    /// The app's own initial state.
    var initial: State { launchState.state }
    var handlers: StoreHandlers<State, Action>? { shared.withLock { $0.handlers } as? StoreHandlers<State, Action> }
    var isConnected: Bool { shared.withLock { $0.handlers != nil } }
    var isReady: Bool { shared.withLock { $0.handlers != nil && !$0.isUnlocking } }

    /// The store's last state, if it was recorded.
    func recorded(in session: isolated RecordingSession) -> State? {
        guard shared.withLock({ !$0.schedule.isBehind }) else { return nil }
        let own = own(in: session)
        if atOnce == nil { return own.isLastWritten ? own.writer.last : nil }
        return latest.withLockUnchecked { $0.state }?.state
    }

    /// The next state is written in full.
    func forgetBase(in session: isolated RecordingSession) {
        own(in: session).writer.forget()
    }

    func close() {
        shared.withLock { $0.isClosed = true }
        arrays?.close()
    }

    func writeFullNext(in session: isolated RecordingSession) {
        own(in: session).writer.isFullDue = true
    }

    func writeFull(to session: isolated RecordingSession) {
        let own = own(in: session)
        do {
            guard let whole = try EncodingMark.set({ try own.writer.whole() }) else { return }
            let line = session.line(
                .replace, store: name, at: session.now,
                members: [("state", .text(whole)), ("cause", .json(["control": "state"]))])
            // If sent anyway, the line would be refused and replaced by a gap, which requests another full state.
            own.writer.isFullDue = line.bytes.count > session.maxLine
            if own.writer.isFullDue { return tellTooLong(line, to: session) }
            session.append(line)
        } catch {
            own.writer.forget()
            session.note(
                "A state of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
        }
    }
}

// MARK: Writing

extension StoreRecorder {
    func write(_ event: StoreEvent, to session: isolated RecordingSession) {
        let own = own(in: session)
        // The tape lacks the events in between.
        if session.isPaused { forgetBase(in: session) }
        switch event.kind {
        case .initial: writeState(event, .`init`, to: session)
        case .replace(let error): writeState(event, .replace, error: error, to: session)
        case .action(let action, let took, let error, let dispatch, let scope):
            let text = text(of: action, to: session)
            let arrival = arrival(scope, text, in: session)
            if event.isPaused, arrival.cause == nil {
                event.place.map(session.pending.free)
                return
            }
            var members: [(String, EventLine.Content)] = [("took", .json(.milliseconds(took)))]
            if let error { members.append(("error", .json(.string(error)))) }
            let site = dispatch.origin.callSite
            if let caller = site?.text { members.append(("caller", .json(.string(caller)))) }
            // What was sent from outside was dispatched by the recorder.
            let called = arrival.cause == nil ? site?.stack ?? .none : .none
            let stack = session.callStack(called)
            if let stack { members.append(("stack", .json(stack))) }
            if let cause = arrival.cause ?? cause(of: dispatch, in: session) { members.append(("cause", .json(cause))) }
            if let number = scope?.number { members.append(("dispatch", .json(.number(JSON.Number(number))))) }
            let seq = writeAction(event, text, members, to: session)
            if wantsEach, !event.hasState, !own.isTooLong { own.skipped = SkippedStates(own.skipped, seq) }
            session.callStacks?.wrote(stack, of: called, at: seq)
            session.positions.set(seq, of: dispatch.id)
            arrived(arrival, seq: seq, in: session)
            session.endReplay()
        }
    }

    /// The event that started the action; nil if there is none, or if it is not on the tape, or not yet.
    private func cause(of dispatch: RecordedDispatch, in session: isolated RecordingSession) -> JSON? {
        session.positions[dispatch.origin.cause].map { ["seq": .number(JSON.Number($0))] }
    }

    /// The JSON text of the action's type and payload.
    private func text(of action: any CapturedAction, to session: isolated RecordingSession) -> [UInt8] {
        let own = own(in: session)
        do {
            own.lineEncoder.buffer.clear()
            try EncodingMark.set { try action.write(to: own.lineEncoder) }
            tell(own.lineEncoder.encoder.takeUnencodable(), isAction: true)
            return own.lineEncoder.buffer.bytes
        } catch {
            session.note(
                "An action of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
            return action.nameAlone
        }
    }

    /// - Returns: The event's number.
    private func writeAction(
        _ event: StoreEvent, _ record: [UInt8], _ members: [(String, EventLine.Content)],
        to session: isolated RecordingSession
    ) -> Int {
        let own = own(in: session)
        /// A long action leaves the state its place, unless a patch would do as well.
        func line(_ state: (String, EventLine.Content), _ isOptional: Bool = false) -> EventLine {
            func line(_ record: [UInt8]) -> EventLine {
                session.line(
                    .action, store: name, at: event.at, members: [("action", .text(record)), state] + members)
            }
            let whole = line(record)
            let isActionLonger = record.count > max(whole.bytes.count - record.count, 1_024)
            guard whole.bytes.count > session.maxLine, isActionLonger, !isOptional else { return whole }
            return line(LeftOut.record(of: record))
        }
        var found: EventLine?
        if let state = snapshot(of: event, in: session) { found = accepted(state, of: event, to: session, line) }
        own.isLastWritten = found != nil
        let written = found ?? line(("skipped", .json(true)))
        session.append(written, of: event.place)
        if written.bytes.count < record.count {
            session.note(
                """
                The payload of action “\(LeftOut.type(of: record))” of store “\(name)”, event \(written.seq), is left \
                out: with the state it takes \(record.count + written.bytes.count) bytes. \(session.lineLimit.advice(orRecord: "a shorter payload"))
                """, level: "warning", at: event.at)
        }
        return written.seq
    }

    private func writeState(
        _ event: StoreEvent, _ kind: EventKind, error: String? = nil, to session: isolated RecordingSession
    ) {
        let own = own(in: session)
        let types = kind == .`init` ? session.typesBesideHeader(of: name) : nil
        var hasTable = false
        let written = snapshot(of: event, in: session).flatMap { snapshot in
            accepted(snapshot, of: event, full: kind == .`init`, insists: true, to: session) { state, _ in
                let table = kind == .`init` ? typeTable(of: snapshot, state.1, in: session) : nil
                hasTable = table != nil
                let members = [
                    ("types", types), ("swift", table), ("cause", event.cause), ("error", error.map(JSON.string)),
                ].compactMap { name, value in value.map { (name, EventLine.Content.json($0)) } }
                return session.line(kind, store: name, at: event.at, members: [state] + members)
            }
        }
        own.isLastWritten = written != nil
        if let written {
            session.append(written)
            if hasTable { keepTypeTable(seq: written.seq, in: session) }
            event.answer?.seq.set(written.seq, in: session)
        } else {
            // The store has a state that the tape lacks, so the next state must be written in full.
            own.writer.forget()
            if let answer = event.answer {
                let message = "the state was applied, but could not be recorded"
                session.fail(answer.id, Pushed.Failure(code: .unsupported, message: message))
            }
        }
    }

    /// The line for a state; the state becomes the next base. Nil, with a note, if encoding fails or the line is too
    /// long.
    private func accepted(
        _ snapshot: Snapshot<State>, of event: StoreEvent, full: Bool = false, insists: Bool = false,
        to session: isolated RecordingSession, _ line: ((String, EventLine.Content), _ isOptional: Bool) -> EventLine
    ) -> EventLine? {
        let own = own(in: session)
        var (found, refused): (EventLine?, EventLine?)
        defer { shared.withLock { $0.cost = own.writer.cost } }
        guard event.at >= own.nextTry || event.isAwaited else {
            shared.withLock { $0.schedule.refuse(until: own.nextTry) }
            return nil
        }
        let began = session.now
        do {
            try EncodingMark.set {
                try own.writer.write(snapshot, full: full, insists: insists) { written, isOptional in
                    let candidate = line(written.member, isOptional)
                    let fits = candidate.bytes.count <= session.maxLine
                    if fits { found = candidate } else { refused = candidate }
                    return fits
                }
            }
            tell(own.writer.takeUnencodable(), isAction: false)
            guard found == nil else {
                own.isTooLong = false
                return found
            }
            if let refused {
                own.nextTry = session.now + .rest(after: session.now - began + event.encoding)
                shared.withLock { $0.schedule.refuse(until: own.nextTry, isLast: event.cause == StoreEvent.trailing) }
                tellTooLong(refused, to: session)
            }
        } catch let failure as PatchCheck.Failure {
            session.note(
                "A patch of store “\(name)” was wrong; its full state was recorded instead: \(failure)", level: "error")
            return accepted(snapshot, of: event, full: true, to: session, line)
        } catch {
            session.note(
                "A state of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
        }
        return nil
    }

    private func tellTooLong(_ line: EventLine, to session: isolated RecordingSession) {
        let own = own(in: session)
        defer { own.isTooLong = true }
        if own.isTooLong { return }
        let except = "less of the state, with “capture: .every.except(…)”"
        session.note(
            """
            The state of store “\(name)” is left out until it is shorter: its line would have \(line.bytes.count) bytes. \
            \(session.lineLimit.advice(orRecord: except))
            """, level: "warning", at: .milliseconds(line.at.double))
    }
}

extension JSON {
    /// Rounded to three decimals.
    fileprivate static func milliseconds(_ duration: Duration) -> JSON {
        .number(Number((duration.milliseconds * 1_000).rounded() / 1_000) ?? Number(0))
    }
}
