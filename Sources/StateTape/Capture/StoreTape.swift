import TapeFormat

/// What the session knows of a store, whatever its types.
protocol AnyStoreTape: AnyObject, Sendable {
    var name: String { get }
    /// Whether pushes can be played.
    var isConnected: Bool { get }
    /// Plays a push; on the recorder's thread.
    ///
    /// - Parameter done: Called on any thread once the app has taken it, or never will.
    func play(_ waiting: WaitingPush, in session: Session, done: @escaping @Sendable () -> Void)
    /// Writes an event of this store; on the recorder's thread.
    func write(_ sample: StoreSample, to session: Session)
    /// A state was written: another may be taken.
    func ask()
    /// Writes a `replace` with the full state, if there is one; on the recorder's thread.
    func writeFull(to session: Session)
    /// The next state is to be written in full; on the recorder's thread.
    func forgetBase()
    /// As ``forgetBase()``, but what the tape has stays known; on the recorder's thread.
    func writeFullNext()
    /// Events that were left for the tape are not on it; on the recorder's thread.
    func loseEvents()
    /// The app has fallen quiet; on the recorder's thread.
    func fallQuiet()
    /// Nothing of the app's own is recorded; on the recorder's thread, as the next three.
    func pause()
    func resume()
    /// Whether an action of a push is still to come; on the recorder's thread.
    func expects(_ id: String) -> Bool
    /// The app's own actions are held.
    func lock()
    /// What was held is dispatched, or dropped.
    func unlock(discards: Bool)
}

/// One store: what callers leave, and how the recorder's thread writes it.
// Unchecked: `writer` and `expected` are touched on the recorder's thread only, the rest is constant or behind a lock.
// States and actions that cross threads are copies that nobody else uses.
final class StoreTape<State, Action>: AnyStoreTape, @unchecked Sendable {
    /// An action on its way into the store.
    struct Expected {
        let id: String
        let record: JSON
        let cause: JSON
        /// Nil of a replayed action: the last one's answer is for all.
        let answer: PushAnswer?
    }

    let name: String
    let session: Session
    let initial: State
    let states: StateCodec<State>
    let actions: ActionCodec<Action>
    /// The places of a state that are captured; nil for all.
    let slice: Slice?
    /// Where a state holds a class instance of the app's; nil if it is a value.
    let instance: String?
    /// For looking at each action; nil if all are of one type and that one is a value.
    let actionLayouts: Layouts?
    let gate: Guarded<StoreGate>
    /// What ``start()`` gives if it isn't the initial state.
    let started = Guarded<State?>(nil)
    /// Kept, since to look up what a generic type is takes longer than all else that is done with it.
    let sampleType = StateSample<State>.self
    private let recordersDesk: ActionDesk
    /// Where actions are encoded as they are dispatched; nil while somebody does.
    let desk = Guarded<ActionDesk?>(nil)
    private(set) var writer: StateWriter<State>
    var expected: [Expected] = []

    init(
        name: String, session: Session, initial: State, states: StateCodec<State>, actions: ActionCodec<Action>,
        slice: Slice? = nil, rate: Capture.Rate = .every
    ) {
        self.name = name
        self.session = session
        self.initial = initial
        self.states = states
        self.actions = actions
        self.slice = slice
        instance = session.layouts.instance(in: State.self)
        actionLayouts = session.layouts.isValue(Action.self) ? nil : session.layouts
        recordersDesk = ActionDesk(session.redactor)
        writer = StateWriter(states, slice, session.layouts, session.redactor, isVerifying: session.isVerifying)
        gate = Guarded(StoreGate(demand: Demand(rate)))
    }

    var seat: Seat<State, Action>? { gate.withLock { $0.seat } as? Seat<State, Action> }
    var isConnected: Bool { gate.withLock { $0.seat != nil } }

    func forgetBase() {
        writer.forget()
    }

    func writeFullNext() {
        writer.isFullDue = true
    }

    func writeFull(to session: Session) {
        do {
            guard let whole = try writer.whole() else { return }
            session.append(
                session.line(
                    .replace, store: name, at: session.now,
                    members: [("state", .text(whole)), ("cause", .json(["control": "state"]))]))
            writer.isFullDue = false
        } catch {
            writer.forget()
            session.note(
                "A state of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
        }
    }
}

// MARK: Writing

extension StoreTape {
    func write(_ sample: StoreSample, to session: Session) {
        // Those in between are not on the tape.
        if session.isPaused { forgetBase() }
        switch sample.kind {
        case .initial: writeState(sample, .`init`, to: session)
        case .replace: writeState(sample, .replace, to: session)
        case .action(let action, let took, let caller, let scope):
            var answer: PushAnswer?
            let text = text(of: action, to: session)
            let isCompared = !expected.isEmpty || scope?.pushed != nil
            let record = isCompared ? try? JSON(parsing: text) : nil
            var members: [(String, EventLine.Content)] = [("took", .json(.milliseconds(took)))]
            if let caller { members.append(("caller", .json(.string("\(caller.fileID):\(caller.line)")))) }
            if let index = expected.firstIndex(where: { $0.record == record }) {
                let expected = takeExpected(at: index)
                answer = expected.answer
                members.append(("cause", .json(expected.cause)))
            } else if sample.isPaused {
                sample.place.map(session.pending.free)
                return
            } else if let pushed = scope?.pushed, pushed.store != name, pushed.record == record {
                // It came through a dispatcher to a store that it was not pushed into.
                members.append(("cause", .json(pushed.cause)))
            }
            if let number = scope?.number { members.append(("dispatch", .json(.number(JSON.Number(number))))) }
            writeAction(sample, text, members, answer, to: session)
        }
    }

    func expects(_ id: String) -> Bool { expected.contains { $0.id == id } }

    /// An action that was pushed has come, or never will.
    func takeExpected(at index: Int) -> Expected {
        gate.withLock { $0.arriving -= 1 }
        return expected.remove(at: index)
    }

    /// Type and payload.
    private func text(of action: any CapturedAction, to session: Session) -> [UInt8] {
        do {
            recordersDesk.buffer.clear()
            try action.write(to: recordersDesk)
            return recordersDesk.buffer.bytes
        } catch {
            session.note(
                "An action of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
            return action.nameAlone
        }
    }

    private func writeAction(
        _ sample: StoreSample, _ record: [UInt8], _ members: [(String, EventLine.Content)],
        _ answer: PushAnswer?,
        to session: Session
    ) {
        func line(_ record: [UInt8], _ state: (String, EventLine.Content)) -> EventLine {
            session.line(
                .action, store: name, at: sample.at, members: [("action", .text(record)), state] + members)
        }
        var found: EventLine?
        if let state = snapshot(in: sample) {
            found = accepted(state, to: session) { line(record, $0) }
        }
        var event = found ?? line(record, ("skipped", .json(true)))
        if event.bytes.count > session.maxLine {
            session.note("An action of “\(name)” was too long for a line: \(event.bytes.count) bytes", level: "warning")
            let type = (try? JSON(parsing: record))?["type"] ?? ""
            event = line(JSON.object(JSON.Object([("type", type)])).bytes, ("skipped", .json(true)))
        }
        session.append(event, of: sample.place)
        if let answer { session.answer(answer, seq: event.seq) }
        session.endReplay()
    }

    private func writeState(_ sample: StoreSample, _ kind: EventKind, to session: Session) {
        let cause: [(String, EventLine.Content)] = sample.cause.map { [("cause", .json($0))] } ?? []
        let event = snapshot(in: sample).flatMap { state in
            accepted(state, full: kind == .`init`, to: session) {
                session.line(kind, store: name, at: sample.at, members: [$0] + cause)
            }
        }
        if let event {
            session.append(event)
            if let answer = sample.answer { session.answer(answer, seq: event.seq) }
        } else {
            // The store has a state that the tape doesn't: the next one must stand by itself.
            writer.forget()
            if let answer = sample.answer {
                let message = "the state was played, but could not be written down"
                session.fail(answer.id, Pushed.Failure(code: "unsupported", message: message))
            }
        }
    }

    /// The line for a state, and the state as the next base; nil, with a note, if it can't be encoded or is too long.
    private func accepted(
        _ snapshot: Snapshot<State>, full: Bool = false, to session: Session,
        _ line: ((String, EventLine.Content)) -> EventLine
    ) -> EventLine? {
        var event: EventLine?
        defer { gate.withLock { $0.cost = writer.cost } }
        do {
            try writer.write(snapshot, full: full) { written in
                let candidate = line(written.member)
                guard candidate.bytes.count <= session.maxLine else { return false }
                event = candidate
                return true
            }
            guard event == nil else { return event }
            session.note("A state of “\(name)” was too long for a line", level: "warning")
        } catch let failure as PatchCheck.Failure {
            session.note("A patch of “\(name)” is wrong, and its state written whole: \(failure)", level: "error")
            return accepted(snapshot, full: true, to: session, line)
        } catch {
            session.note(
                "A state of “\(name)” could not be encoded: \(session.redactor.readable(error))", level: "warning")
        }
        return nil
    }
}

extension JSON {
    /// To three decimals.
    fileprivate static func milliseconds(_ duration: Duration) -> JSON {
        .number(Number((duration.milliseconds * 1_000).rounded() / 1_000) ?? Number(0))
    }
}
