import TapeFormat

/// An event of a store that comes with a state.
final class StateSample<State, Action>: Sample {
    enum Kind {
        case initial
        case action(any CapturedAction, took: Duration, Caller?)
        case replace
    }

    let tape: StoreTape<State, Action>
    let kind: Kind
    let at: Duration
    /// Why the state was set, of `init` and `replace`.
    let cause: JSON?
    /// The push to answer once the event is written.
    let answer: PushAnswer?
    let state: Snapshot<State>?
    var cost = 0

    init(
        _ tape: StoreTape<State, Action>, _ kind: Kind, at: Duration, state: Snapshot<State>?, cause: JSON? = nil,
        answer: PushAnswer? = nil
    ) {
        self.tape = tape
        self.kind = kind
        self.at = at
        self.state = state
        self.cause = cause
        self.answer = answer
    }

    var isDroppable: Bool {
        switch kind {
        case .initial: false
        case .action: true
        case .replace: answer == nil
        }
    }

    func write(to session: Session) {
        tape.write(self, to: session)
        if state != nil { tape.ask() }
    }
}

/// What a push is answered with once its event has a seq.
struct PushAnswer {
    let id: String
    var filled: [String] = []
    var ignored: [String] = []
}

/// Something to do on the recorder's thread after everything that was left before.
final class Step: Sample {
    let isDroppable: Bool
    private let body: (Session) -> Void

    init(isDroppable: Bool = false, _ body: @escaping (Session) -> Void) {
        self.isDroppable = isDroppable
        self.body = body
    }

    var cost: Int { 0 }
    func write(to session: Session) { body(session) }
}

/// Where in the app's source an action was recorded.
struct Caller {
    let fileID: StaticString
    let line: UInt
}
