import StateTape
import Testing

/// Small stand-ins with the shapes of the libraries that the recipes are for.
private struct AppState: Codable, Equatable, Sendable { var count = 0 }
private enum AppAction: Codable, Sendable { case add(Int) }

private func reduce(_ state: inout AppState, _ action: AppAction) {
    switch action {
    case .add(let n): state.count += n
    }
}

// ReSwift: reducers are functions of an existential action, the state's setter is private.
private protocol Action {}
private final class ReStore<State> {
    private(set) var state: State
    private let reducer: (any Action, State?) -> State
    init(reducer: @escaping (any Action, State?) -> State, state: State) {
        self.reducer = reducer
        self.state = state
    }
    func dispatch(_ action: any Action) { state = reducer(action, state) }
}
private struct AddTodo: Action, Codable { var n: Int }
private struct Play: Action { let state: AppState }
private func appReducer(action: any Action, state: AppState) -> AppState {
    var next = state
    if let add = action as? AddTodo { next.count += add.n }
    return next
}

// TCA: reducers return an effect, `send` returns a task.
private struct Effect { static var none: Effect { Effect() } }
private protocol Reducer {
    associatedtype State
    associatedtype Action
    func reduce(into state: inout State, action: Action) -> Effect
}
private struct AppFeature: Reducer {
    func reduce(into state: inout AppState, action: AppAction) -> Effect {
        StateTapeTests.reduce(&state, action)
        return .none
    }
}
private enum TapedAction<Base: Reducer> { case app(Base.Action), play(Base.State) }
private struct Taped<Base: Reducer>: Reducer {
    let base: Base
    let track: Track<Base.State, Base.Action>
    func reduce(into state: inout Base.State, action: TapedAction<Base>) -> Effect {
        switch action {
        case .app(let action): return track.record(action, &state) { base.reduce(into: &$0, action: action) }
        case .play(let played):
            state = played
            return .none
        }
    }
}
private final class TCAStore<Base: Reducer> {
    struct Sent {}
    var state: Base.State
    let base: Base
    init(initialState: Base.State, _ base: () -> Base) {
        self.state = initialState
        self.base = base()
    }
    @discardableResult func send(_ action: Base.Action) -> Sent {
        _ = base.reduce(into: &state, action: action)
        return Sent()
    }
}

@MainActor private final class HandMadeStore {
    var state: AppState
    let track: Track<AppState, AppAction>
    init(_ tape: Recorder) {
        track = tape.track(AppState(), AppAction.self, name: "cart")
        state = track.start
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.send($0) },
            play: { [weak self] in self?.state = $0 })
    }
    func send(_ action: AppAction) { track.record(action, &state) { reduce(&$0, action) } }
}

@MainActor @Suite("The recipes")
struct RecipeTests {
    let tape = Recorder()

    @Test("A hand-made store reads as in the recipe")
    func handMade() {
        let store = HandMadeStore(tape)
        store.send(.add(2))
        #expect(store.state.count == 2)
    }

    @Test("A store with existential actions reads as in the recipe")
    func existential() {
        let track = tape.track(AppState(), (any Action).self, decoding: [AddTodo.self])
        let store = ReStore<AppState>(
            reducer: { action, state in
                if let play = action as? Play { return play.state }
                var next = state ?? track.start
                track.record(action, &next) { $0 = appReducer(action: action, state: $0) }
                return next
            }, state: track.start)
        track.connect(
            state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.dispatch(Play(state: $0)) })
        store.dispatch(AddTodo(n: 3))
        #expect(store.state.count == 3)
    }

    @Test("A store behind a wrapping reducer reads as in the recipe")
    func wrapped() {
        let track = tape.track(AppState(), AppAction.self)
        let store = TCAStore(initialState: track.start) { Taped(base: AppFeature(), track: track) }
        track.connect(state: { store.state }, dispatch: { store.send(.app($0)) }, play: { store.send(.play($0)) })
        store.send(.app(.add(4)))
        #expect(store.state.count == 4)
    }

    @Test("A middleware of a switched-off recorder leaves the chain as it is")
    func middleware() {
        let track = tape.track(AppState(), AppAction.self)
        var state = track.start
        track.middleware { action, state in reduce(&state, action) }(.add(1), &state)
        #expect(state.count == 1)
    }
}
