import StateTape

struct AppFeature: ComposableArchitecture.Reducer {
    // Unsafe: set and read on the main actor, by recipes that are made one after the other.
    nonisolated(unsafe) static var effects = EffectCount()
    private let effects = Self.effects

    func reduce(into state: inout AppState, action: AppAction) -> ComposableArchitecture.Effect<AppAction> {
        appReducer(&state, action)
        return .run { [effects] send in effects.start { MainActor.assumeIsolated { send(.add(3)) } } }
    }
}

// recipe: TCA reducer
struct Taped<Base: ComposableArchitecture.Reducer & Sendable>: ComposableArchitecture.Reducer {
    enum Action { case app(Base.Action), sent(Base.Action, DispatchOrigin), play(Base.State) }

    let base: Base
    let track: Track<Base.State, Base.Action>

    func reduce(into state: inout Base.State, action: Action) -> ComposableArchitecture.Effect<Action> {
        switch action {
        case .app(let action): return record(action, from: .current, &state)
        case .sent(let action, let origin): return record(action, from: origin, &state)
        case .play(let played):
            state = played
            return .none
        }
    }

    private func record(
        _ action: Base.Action, from origin: DispatchOrigin, _ state: inout Base.State
    ) -> ComposableArchitecture.Effect<Action> {
        track.dispatch(from: origin) {
            let cause = DispatchOrigin.current
            return track.record(action, &state, held: .none) { base.reduce(into: &$0, action: action) }
                .map { Action.sent($0, cause) }
        }
    }
}
// end

@MainActor func composableRecipe(_ tape: Recorder) -> Recipe {
    let effects = EffectCount()
    AppFeature.effects = effects
    // recipe: TCA
    let track = tape.track(AppState(), AppAction.self)
    let store = ComposableArchitecture.Store(initialState: track.start) { Taped(base: AppFeature(), track: track) }
    func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {
        store.send(.sent(action, DispatchOrigin(fileID: fileID, line: line)))
    }
    track.connect(state: { store.state }, dispatch: { send($0) }, play: { store.send(.play($0)) })
    // end
    return Recipe(effects) { MainActor.assumeIsolated { send(.add(3)) } }
}
