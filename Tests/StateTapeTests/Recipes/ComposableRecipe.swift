import StateTape

struct AppFeature: ComposableArchitecture.Reducer {
    // Unsafe: set and read on the main actor, by recipes that are made one after the other.
    nonisolated(unsafe) static var effects = EffectCount()
    private let effects = Self.effects

    func reduce(into state: inout AppState, action: AppAction) -> ComposableArchitecture.Effect<AppAction> {
        appReducer(&state, action)
        return .run { [effects] in effects.start() }
    }
}

// recipe: TCA reducer
struct Taped<Base: ComposableArchitecture.Reducer>: ComposableArchitecture.Reducer {
    enum Action { case app(Base.Action), play(Base.State) }

    let base: Base
    let track: Track<Base.State, Base.Action>

    func reduce(into state: inout Base.State, action: Action) -> ComposableArchitecture.Effect<Action> {
        switch action {
        case .app(let action):
            return track.record(action, &state, held: .none) { base.reduce(into: &$0, action: action) }
                .map(Action.app)
        case .play(let played):
            state = played
            return .none
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
    track.connect(state: { store.state }, dispatch: { store.send(.app($0)) }, play: { store.send(.play($0)) })
    // end
    return Recipe(effects) { MainActor.assumeIsolated { _ = store.send(.app(.add(3))) } }
}
