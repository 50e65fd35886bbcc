import StateTapeStore

struct SceneState: Codable, Equatable { var title = "" }
enum SceneAction: Codable { case rename(String) }

@MainActor let sceneReducer: Reducer<SceneState, SceneAction> = { state, action in
    switch action {
    case .rename(let title): state.title = title
    }
}

@MainActor final class Scene {
    let store = Store(
        initial: SceneState(),
        reducer: sceneReducer,
        middleware: [
            { next in { action, state in next(action, &state) } }
        ],
        effects: { _, _ in nil }
    )
}
