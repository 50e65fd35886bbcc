import DispatchContext
import StateCapture
import TapeFormat

/// A store's recorder as its events see it, independent of the store's types; on the recorder's thread.
protocol StoreEventWriter: AnyObject, Sendable {
    /// Writes an event of this store.
    func write(_ event: StoreEvent, to session: isolated RecordingSession)
    /// Notes that a captured state was written.
    func wroteState()
    /// Notes that a submitted event lost its state.
    func loseState()
}

/// An event of a store, independent of the store's types. Looking up a generic type would cost the app more than the
/// rest of an action's recording.
class StoreEvent: PendingEvent {
    enum Kind {
        case initial
        /// - Parameter error: The text of the error that the reducer threw.
        case action(any CapturedAction, took: Duration, error: String?, RecordedDispatch, DispatchScope?)
        /// - Parameter error: The text of the error that the change threw.
        case replace(error: String? = nil)
    }

    final let store: any StoreEventWriter
    final let kind: Kind
    final let at: Duration
    /// The state's JSON, where a copy would share objects with the app; or the error from encoding it.
    final let text: Result<[UInt8], any Error>?
    /// How long that took.
    final var encoding = Duration.zero
    /// Why the state was set; for `init` and `replace`.
    final let cause: JSON?
    /// Gets the event's `seq`.
    final let answer: PushAnswer?
    /// The event was recorded during a pause, and counts only if it was pushed.
    final var isPaused = false
    /// The queue removed the state while the event waited.
    final var isBare = false
    /// Whether somebody waits for the state: the server, which has sent it, or the reader of a tape that begins.
    final var isAwaited: Bool { if case .initial = kind { true } else { answer != nil } }
    /// The cause of an event with the store's state when the app has become idle.
    static let trailing: JSON = ["capture": "trailing"]
    /// Whether the event has a state, in either form.
    var hasState: Bool { text != nil }

    init(
        _ store: any StoreEventWriter, _ kind: Kind, at: Duration, text: Result<[UInt8], any Error>? = nil,
        cause: JSON? = nil, answer: PushAnswer? = nil
    ) {
        self.store = store
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

    override func write(to session: isolated RecordingSession) {
        store.write(self, to: session)
        if hasState { store.wroteState() } else if isBare { store.loseState() }
    }

    override final func bare() -> PendingEvent? {
        guard hasState, case .action = kind else { return nil }
        let bare = StoreEvent(store, kind, at: at)
        (bare.place, bare.weight, bare.isPaused, bare.isBare) = (place, weight, isPaused, true)
        place = nil
        return bare
    }
}

/// An event of a store with a copy of its state.
class StateEvent<State>: StoreEvent {
    final var state: State
    /// What the recorder did with the state's arrays; nil if the state has all of them.
    final var look: StateArrays.Look?

    /// - Parameter state: Behind a pointer, as on its whole way here: in a debug build, each function that takes a large
    ///   state by value has a copy of its own on the stack.
    required init(
        _ store: any StoreEventWriter, _ kind: Kind, at: Duration, state: UnsafePointer<State>, cause: JSON? = nil,
        answer: PushAnswer? = nil
    ) {
        self.state = state.pointee
        super.init(store, kind, at: at, cause: cause, answer: answer)
    }

    override var hasState: Bool { true }
}
