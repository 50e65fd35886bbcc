import StateTape

/// The ways of working.
enum CounterStyle: String, CaseIterable, Sendable {
    case reducers, creators, flux
    case selfReducing = "self-reducing"
    case effects, executable, driver, feedback, history

    /// Makes an app that works in this way.
    @MainActor func app(_ recorder: Recorder) -> any CounterApp {
        switch self {
        case .reducers: ReducersCounter(recorder)
        case .creators: CreatorsCounter(recorder)
        case .flux: FluxCounter(recorder)
        case .selfReducing: SelfReducingCounter(recorder)
        case .effects: EffectCounter(recorder)
        case .executable: ExecutableCounter(recorder)
        case .driver: DriverCounter(recorder)
        case .feedback: FeedbackCounter(recorder)
        case .history: HistoryCounter(recorder)
        }
    }
}
