import TapeFormat

/// A replay of a recorded session's actions, and its result. A *launch replay* runs in a new run of the app, after its
/// launch state; a *live replay* in the running app.
struct Replay: Sendable {
    enum Status: String, Sendable {
        case running, done, failed
        /// The app disconnected before the end.
        case lost
        case stopped
    }

    /// The first event after which the new run's state differs from the recording's.
    struct Divergence: Sendable {
        /// The event of the recording, and the event of the new run.
        let of: Int
        let seq: Int
        let store: String
        /// From the recorded state to the new state.
        let patch: Patch
        /// The values at the first path, nil where there is none.
        var recorded: JSON?
        var value: JSON?
    }

    /// For a longer patch only the paths are reported.
    private static let maxPatch = 16 << 10

    /// The id of the launch state, or of the live replay.
    let start: String
    let source: String
    /// The recorded event whose states the run starts with, and the last event to replay.
    let from: Int
    let through: Int
    /// Nil for a launch replay.
    var plan: ReplayPlan?
    var status = Status.running
    /// The recorded event that was replayed last.
    var at: Int?
    var played = 0
    /// How many states were compared, up to the first difference.
    var compared = 0
    /// Actions that are too long or too deeply nested for a message to the app.
    var tooLong = 0
    var divergence: Divergence?
    var error: Pushed.Failure?

    init(start: String, source: String, from: Int, through: Int, plan: ReplayPlan? = nil) {
        self.start = start
        self.source = source
        self.from = from
        self.through = through
        self.plan = plan
    }

    /// The action to send for a recorded event; nil for none.
    func action(of line: EventLine) -> JSON? {
        if let plan { return plan.action(of: line) }
        return line.kind == .action ? line["action"] : nil
    }

    mutating func fail(_ failure: Pushed.Failure) {
        status = failure.code == .stopped ? .stopped : .failed
        error = status == .stopped ? nil : failure
    }

    var json: JSON {
        var json = JSON.Object([
            ("session", .string(source)), ("from", .number(.init(from))), ("through", .number(.init(through))),
            ("status", .string(status.rawValue)), ("played", .number(.init(played))),
            ("compared", .number(.init(compared))),
        ])
        json["at"] = at.map { .number(.init($0)) }
        if let plan {
            json["id"] = .string(start)
            json["leftOut"] = .array(plan.leaveOut.sorted().map { .number(.init($0)) })
            json["edited"] = .array(plan.edit.keys.sorted().map { .number(.init($0)) })
            json["keep"] = .bool(plan.keep)
        }
        if tooLong > 0 { json["tooLong"] = .number(.init(tooLong)) }
        json["divergence"] = divergence?.json
        json["error"] = error?.json
        return .object(json)
    }
}

extension Replay.Divergence {
    fileprivate var json: JSON {
        var json = JSON.Object([
            ("of", .number(.init(of))), ("seq", .number(.init(seq))), ("store", .string(store)),
            ("paths", .array(patch.operations.prefix(20).map { .string($0.path.description) })),
        ])
        func fits(_ value: JSON) -> Bool { value.bytes.count <= Replay.maxPatch }
        if let recorded, fits(recorded) { json["recorded"] = recorded }
        if let value, fits(value) { json["value"] = value }
        let whole = patch.json
        if whole.bytes.count <= Replay.maxPatch { json["patch"] = whole }
        return .object(json)
    }
}
