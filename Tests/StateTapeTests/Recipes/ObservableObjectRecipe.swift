import StateTape

#if canImport(Combine)
    import Combine
#endif

// recipe: ObservableObject
@MainActor final class AppModel: ObservableObject, @MainActor TapedStore {
    @Published var state = AppState()
    private let track: Track<AppState, AppAction>
    private let startEffects: (AppAction) -> Void

    init(_ tape: Recorder, startEffects: @escaping (AppAction) -> Void) {
        self.startEffects = startEffects
        track = tape.track(AppState(), AppAction.self)
        track.attach(self)
    }

    func send(_ action: AppAction, fileID: StaticString = #fileID, line: UInt = #line) {
        track.record(action, in: self, fileID: fileID, line: line) {
            appReducer(&$0, action)
        } effects: {
            startEffects(action)
        }
    }
}
// end

@MainActor func observableObjectRecipe(_ tape: Recorder) -> Recipe {
    let effects = EffectCount()
    weak var known: AppModel?
    let model = AppModel(tape) { _ in effects.start { MainActor.assumeIsolated { known?.send(.add(3)) } } }
    known = model
    return Recipe(effects) { MainActor.assumeIsolated { model.send(.add(3)) } }
}
