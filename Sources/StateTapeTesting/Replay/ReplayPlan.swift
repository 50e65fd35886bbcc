import StateTape
import TapeEngine
import TapeFormat

/// The steps of a replay: everything that can be decoded before anything runs.
struct ReplayPlan<State, Action> {
    enum Work {
        case action(Action)
        /// The recorded state counts: it was applied, or its action can't be replayed.
        case given(JSON)
        /// The recorder wrote down the state that the actions so far had led to.
        case look
    }

    struct Step {
        let line: EventLine
        let work: Work
    }

    let store: String
    /// The event after which the replay starts.
    let start: Int
    /// The last event to replay.
    let end: Int
    let initial: State
    private(set) var steps: [Step] = []
    private(set) var changes = TypeChanges()
    /// Patterns of the state's places that the tape or the type lacks: they can't be equal.
    private(set) var incomparable: [String] = []
    /// The actions that hold a secret which the test does not supply. They are skipped if the test allows it.
    private(set) var lacking: [SuppliedSecrets.Lack] = []
    /// The actions that are skipped because events before them are missing.
    private(set) var afterGap: [EventLine] = []
    /// The events since which states hold values that the app could not encode: these can't be compared.
    private(set) var unencodable: [Int] = []
    /// Those that the actions and the first state have asked for are marked as used.
    private(set) var secrets: SuppliedSecrets

    /// - Parameters:
    ///   - known: The app's own initial state, for values that the tape lacks.
    /// - Throws: ``ReplayFailure`` if there is nothing to replay.
    init(_ replay: Replay, _ tape: OpenedTape, _ codec: ReplayCodec<State, Action>, _ known: State?) throws {
        let states = States()
        secrets = replay.secrets
        store = try Self.store(replay, tape)
        let from = replay.range?.lowerBound ?? tape.seqs.lowerBound
        guard replay.range == nil || tape.seqs.contains(from) else {
            throw ReplayFailure("The tape has no event \(from): its events are \(Self.text(tape.seqs)).")
        }
        end = min(replay.range?.upperBound ?? .max, tape.seqs.upperBound - 1)
        guard let (start, json) = try Self.start(tape, store, before: from, to: end, states) else {
            throw ReplayFailure("The tape has no state of store “\(store)” to start from.")
        }
        self.start = start
        var changes = TypeChanges()
        do {
            let read = try codec.state(secrets.fill(json), initial: known)
            initial = read.value
            for path in read.filled { changes.add(.fine, "state \(path)", "missing on the tape", at: start) }
            for path in read.ignored { changes.add(.risky, "state \(path)", "no longer read", at: start) }
            incomparable = (read.filled + read.ignored).map(Self.pattern)
        } catch {
            let place = error.path.map { " \($0)" } ?? ""
            changes.add(.impossible, "state\(place)", error.message, at: start)
            throw ReplayFailure(Self.report(changes))
        }
        self.changes = changes
        guard start < end else { return }
        var isLost = false
        try tape.each(in: start + 1..<end + 1) { line in
            try take(line, tape, codec, states, &isLost)
            return true
        }
    }

    private mutating func take(
        _ line: EventLine, _ tape: OpenedTape, _ codec: ReplayCodec<State, Action>, _ states: States,
        _ isLost: inout Bool
    ) throws {
        if line.kind == .gap { isLost = true }
        guard line.store == store, [.action, .replace, .`init`].contains(line.kind) else { return }
        if line.holdsUnencodable { unencodable.append(line.seq) }
        if !isLost, line.isLook { return steps.append(Step(line: line, work: .look)) }
        let known: JSON? =
            if case .state(let state) = try state(line, tape, states, isNeeded: isLost || line.kind != .action) {
                try state.json()
            } else {
                nil
            }
        guard line.kind == .action, !isLost else {
            // After a gap, nothing can be replayed up to the next known state.
            if line.kind == .action { afterGap.append(line) }
            guard let known else { return }
            isLost = false
            return steps.append(Step(line: line, work: .given(known)))
        }
        let recorded = line["action"] ?? .null
        let action = secrets.fill(recorded)
        let lacking = action.secretPlaces()
        guard lacking.isEmpty else {
            self.lacking.append(SuppliedSecrets.Lack(line: line, places: lacking))
            guard secrets.isSkippingAllowed else { return }
            guard case .state(let state) = try states.state(of: tape, store: store, after: line.seq) else {
                throw ReplayFailure(
                    """
                    Event \(line.seq) can't be skipped, because no state was recorded after it. Supply its secret: \
                    .secret("\(lacking[0])", …)
                    """)
            }
            return steps.append(Step(line: line, work: .given(try state.json())))
        }
        let type = "action “\(line.type ?? "")”"
        do throws(Pushed.Failure) {
            guard let read = try codec.action(action) else {
                return changes.add(.impossible, type, "it is not an action of this store", at: line.seq)
            }
            for path in read.ignored { changes.add(.risky, "\(type) \(path)", "no longer read", at: line.seq) }
            steps.append(Step(line: line, work: .action(read.value)))
        } catch {
            if let path = error.path, recorded.secretPlaces().contains(where: { path.hasPrefix($0.description) }) {
                throw ReplayFailure(
                    """
                    The value of .secret(…) for \(path) does not fit event \(line.seq), “\(line.type ?? "")”: \
                    \(error.message)
                    """)
            }
            changes.add(.impossible, type + (error.path.map { " \($0)" } ?? ""), error.message, at: line.seq)
        }
    }

    private func state(
        _ line: EventLine, _ tape: OpenedTape, _ states: States, isNeeded: Bool
    ) throws -> States.Answer {
        isNeeded ? try states.state(of: tape, store: store, after: line.seq) : .absent
    }

    /// The report on changed types, for people.
    static func report(_ changes: TypeChanges) -> String {
        (["The types have changed since the tape was recorded:"] + changes.lines).joined(separator: "\n")
    }

    /// A pointer with `*` for each index.
    private static func pattern(_ pointer: String) -> String {
        let names = (try? Pointer(parsing: pointer))?.tokens ?? []
        return Pointer(names.map { UInt($0) == nil ? $0 : "*" }).description
    }

    private static func text(_ seqs: Range<Int>) -> String {
        seqs.isEmpty ? "none" : "\(seqs.lowerBound) to \(seqs.upperBound - 1)"
    }

    private static func store(_ replay: Replay, _ tape: OpenedTape) throws -> String {
        let stores = tape.stores(upTo: tape.seqs.upperBound - 1)
        let names = stores.map { "“\($0)”" }.joined(separator: ", ")
        if let store = replay.store {
            guard stores.contains(store) else {
                throw ReplayFailure("The tape has no store “\(store)”. It has \(names.isEmpty ? "none" : names).")
            }
            return store
        }
        guard stores.count < 2 else {
            throw ReplayFailure("The tape has several stores: choose one of \(names) with store(_:).")
        }
        guard let store = stores.first else { throw ReplayFailure("The tape has no state to start from.") }
        return store
    }

    /// - Throws: ``ReplayFailure`` if a replay would compare nothing.
    func checkContent() throws {
        guard steps.contains(where: { if case .action = $0.work { true } else { false } }) else {
            throw ReplayFailure("Store “\(store)” has no action to replay after event \(start).")
        }
        guard steps.contains(where: { if case .given = $0.work { false } else { $0.line.hasState } }) else {
            throw ReplayFailure(
                "No event after \(start) has a state to compare: record with a `Capture` that has states.")
        }
    }

    /// The last known state before an event, or the first one from there on.
    private static func start(
        _ tape: OpenedTape, _ store: String, before from: Int, to end: Int, _ states: States
    ) throws -> (Int, JSON)? {
        // A part of a longer tape has the states before its first event in its header.
        if case .state(let state) = try states.state(of: tape, store: store, after: from - 1) {
            return (from - 1, try state.json())
        }
        guard let seq = tape.nextState(of: store, after: from - 1), seq <= end,
            case .state(let state) = try states.state(of: tape, store: store, after: seq)
        else { return nil }
        return (seq, try state.json())
    }
}

extension EventLine {
    var hasState: Bool { raw("state") != nil || raw("patch") != nil }

    /// Whether a value in the state could not be encoded.
    fileprivate var holdsUnencodable: Bool {
        ["state", "patch"].contains { name in
            raw(name).map { String(decoding: $0, as: UTF8.self).contains(#""$unencodable":"#) } ?? false
        }
    }

    /// Whether the event only writes down a state, and changes none.
    fileprivate var isLook: Bool {
        guard kind == .replace, let cause = self["cause"] else { return false }
        // After a pause (`"control":"recording"`), actions are missing.
        return cause["capture"] != nil || cause["control"]?.string == "state"
    }
}
