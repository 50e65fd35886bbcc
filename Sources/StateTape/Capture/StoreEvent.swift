import TapeFormat

/// An event of a store. It knows nothing of the store's types: looking up what a generic type is would cost the app more
/// than all the rest of an action's recording.
class StoreEvent: PendingEvent {
    enum Kind {
        case initial
        case action(any CapturedAction, took: Duration, Caller?, DispatchScope?)
        case replace
    }

    final let tape: any AnyStoreTape
    final let kind: Kind
    final let at: Duration
    /// The state's JSON, where a copy would share objects with the app, or what encoding it threw.
    final let text: Result<[UInt8], any Error>?
    /// Why the state was set, of `init` and `replace`.
    final let cause: JSON?
    /// The push to answer once the event is written.
    final let answer: PushAnswer?
    /// It came while recording was paused, and counts only if it was pushed.
    final var isPaused = false
    /// Its state was taken from it as it waited.
    final var isBare = false
    /// Whether there is a state, in whatever shape.
    var hasState: Bool { text != nil }

    init(
        _ tape: any AnyStoreTape, _ kind: Kind, at: Duration, text: Result<[UInt8], any Error>? = nil,
        cause: JSON? = nil, answer: PushAnswer? = nil
    ) {
        self.tape = tape
        self.kind = kind
        self.at = at
        self.text = text
        self.cause = cause
        self.answer = answer
        let isDroppable =
            switch kind {
            case .initial: false
            case .action: true
            case .replace: answer == nil
            }
        super.init(isDroppable: isDroppable)
    }

    override func write(to session: RecordingSession) {
        tape.write(self, to: session)
        if hasState { tape.ask() } else if isBare { tape.loseState() }
    }

    override final func bare() -> PendingEvent? {
        guard hasState, case .action = kind else { return nil }
        let bare = StoreEvent(tape, kind, at: at)
        (bare.place, bare.weight, bare.isPaused, bare.isBare) = (place, weight, isPaused, true)
        place = nil
        return bare
    }
}

/// An event of a store with a copy of its state.
class StateSample<State>: StoreEvent {
    final var state: State
    /// What became of the state's arrays; nil if they are all in it.
    final var look: StateArrays.Look?

    required init(
        _ tape: any AnyStoreTape, _ kind: Kind, at: Duration, state: State, cause: JSON? = nil,
        answer: PushAnswer? = nil
    ) {
        self.state = state
        super.init(tape, kind, at: at, cause: cause, answer: answer)
    }

    override var hasState: Bool { true }
}

/// What a push is answered with once its event has a seq.
struct PushAnswer {
    let id: String
    var filled: [String] = []
    var ignored: [String] = []
}

/// Something to do on the recorder's thread after everything that was left before.
final class Job: PendingEvent {
    private let body: (RecordingSession) -> Void

    init(isDroppable: Bool = false, _ body: @escaping (RecordingSession) -> Void) {
        self.body = body
        super.init(isDroppable: isDroppable)
    }

    override func write(to session: RecordingSession) { body(session) }
}

/// Where in the app's source an action was recorded.
struct Caller {
    let fileID: StaticString
    let line: UInt
}
