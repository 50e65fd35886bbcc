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
    enum Action { case app(Base.Action), taped(TapedAction<Base.State, Base.Action>) }

    let base: Base
    let track: Track<Base.State, Base.Action>

    func reduce(into state: inout Base.State, action: Action) -> ComposableArchitecture.Effect<Action> {
        let received: TapedAction<Base.State, Base.Action> =
            switch action {
            case .app(let action): .action(action, .current)
            case .taped(let received): received
            }
        return track.reduce(&state, received, held: .none) { state, action in
            let cause = DispatchOrigin.current
            return base.reduce(into: &state, action: action).map { .taped(.action($0, cause)) }
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
    track.connect(state: { store.state }, send: { store.send(.taped($0)) })
    // end
    return Recipe(effects) { MainActor.assumeIsolated { _ = store.send(.taped(.send(.add(3)))) } }
}
