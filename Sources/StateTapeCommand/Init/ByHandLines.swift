import Foundation

extension FoundStore {
    /// The lines for a store of which nothing is known.
    static let anyLines = [
        "import StateTape",
        "let track = Recorder().track(AppState(), AppAction.self)           // the app starts with track.start",
        "track.record(action, &state) { appReducer(&$0, action) }           // in place of appReducer(&state, action)",
        "track.connect(state: { state }, dispatch: { send($0) }, play: { state = $0 })",
    ]

    /// The lines for a reducer that no store calls.
    static func loopLines(initial: String, reducer: String) -> [String] {
        [
            "import StateTape", "import StateTapeStore", "let tape = Recorder()",
            "let store = Store(initial: \(initial), reducer: \(reducer)).taped(by: tape, isolation: nil)",
            "store.dispatch(action)  // in place of the reducer's call; the state is store.state",
            "tape.finish()  // at the end",
        ]
    }

    /// The lines for a reducer of ReSwift's form, whose store isn't known.
    static func actionLines(state: String, reduce: String) -> [String] {
        [
            "import StateTape",
            "let track = Recorder().track(\(state)(), (any Action).self, decoding: [])  // name your Codable actions, such as Add.self",
            "track.record(action, &state) { $0 = \(reduce) }  // where the store reduces; it starts with track.start",
            "track.connect(state: { state }, dispatch: { send($0) }, play: { state = $0 })",
        ]
    }

    /// The lines for a store of ReSwift, as in its recipe.
    static func reSwiftLines(state: String, reducer: String) -> [String] {
        [
            "import StateTape",
            "struct Taped: ReSwift.Action, TapedEnvelope { let content: TapedAction<\(state), any ReSwift.Action> }",
            "let track = Recorder().track(\(state)(), (any ReSwift.Action).self, decoding: [])  // name your Codable actions",
            "let store = ReSwift.Store<\(state)>(reducer: { action, state in track.reduce(state ?? track.start, action, Taped.self) { \(reducer)(action: $1, state: $0) } }, state: track.start, middleware: [track.middleware(Taped.self)])",
            "track.connect(state: { store.state }, send: { store.dispatch(Taped(content: $0)) })",
        ]
    }

    /// The lines for a store of Puredux, as in its recipe.
    static let pureduxLines = [
        "import StateTape", "let track = Recorder().track(AppState(), AppAction.self)",
        "let root = StateStore<AppState, TapedAction<AppState, AppAction>>(track.start) { @Sendable state, action in track.reduce(&state, action, appReducer) }",
        "let store = root.map(actions: { (action: AppAction) in .action(action, .current) })",
        "track.connect(send: { root.dispatch($0) })",
    ]
}

extension ModelClasses {
    /// The lines for a class or an actor, with its names.
    func lines(_ model: Model) -> [String] {
        let (action, decoding) = actions(of: model)
        let (method, state) = (model.method, model.state)
        let edit = method.reduction.edits.first?.text ?? ""
        let isOne = !edit.isEmpty && !edit.contains("\n")
        let initial = model.initial.flatMap { $0.contains("{") || $0.contains("\n") ? nil : $0 } ?? "\(model.type)()"
        return [
            "import StateTape",
            "private let track = Recorder().track(\(initial), \(Self.metatype(action)).self\(decoding))  // in `\(model.name)`, which starts with `\(state) = track.start`",
            isOne
                ? "\(edit)  // in `\(method.name)`"
                : "track.record(\(method.parameter), &\(state)) { \(state) in }  // in `\(method.name)`, with the changes of `\(state)` inside",
            model.isActor
                ? "track.attach(self)  // at the end of `init`"
                : "track.connect(state: { [weak self] in self?.\(state) }, dispatch: \(model.dispatching), play: { [weak self] in self?.\(state) = $0 })  // at the end of `init`",
        ]
            + (model.isActor
                ? [
                    "extension \(model.name): TapedActor { \(bridge(model, hasCallSite: false).joined(separator: "; ")) }"
                ] : [])
    }
}
