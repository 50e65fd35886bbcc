import StateTape

#if canImport(Combine)
    import Combine
#endif

// recipe: ObservableObject
@MainActor final class AppModel: ObservableObject {
    @Published private(set) var state: AppState
    private let track: Track<AppState, AppAction>

    init(_ tape: Recorder) {
        track = tape.track(AppState(), AppAction.self)
        state = track.start
        track.connect(
            state: { [weak self] in self?.state }, dispatch: { [weak self] in self?.send($0) },
            play: { [weak self] in self?.state = $0 })
    }

    func send(_ action: AppAction) { track.record(action, &state) { appReducer(&$0, action) } }
}
// end

@MainActor func observableObjectRecipe(_ tape: Recorder) -> Recipe {
    let model = AppModel(tape)
    return Recipe { MainActor.assumeIsolated { model.send(.add(3)) } }
}
