import StateTapeStore
import StateTapeTesting
import Testing

@testable import WaysExample

/// What the tape of each way has.
extension CounterStyle: CustomTestStringConvertible {
    public var testDescription: String { rawValue }

    /// How many events of all stores come with as many of the main store.
    func events(_ count: Int) -> Int { self == .flux ? 2 * count : count }

    /// The types of the actions add, ask and answered.
    var types: [String] {
        switch self {
        case .selfReducing:
            ["SelfReducingCounter.Add", "SelfReducingCounter.Ask", "Finished<SelfReducingCounter.Ask>"]
        case .executable: ["Add", "Ask", "Answered"].map { "ExecutableCounter.\($0)" }
        default: ["add", "ask", "answered"]
        }
    }

    /// Whether the work starts wherever the action comes from. In the other ways, the caller does the work.
    var actionsStartWork: Bool {
        switch self {
        case .selfReducing, .effects, .executable, .driver, .feedback: true
        case .reducers, .creators, .flux, .history: false
        }
    }

    /// Runs a tape through this way's reducer.
    ///
    /// - Parameter fault: What the reducer adds wrongly after each action.
    @MainActor func verify(_ replay: Replay, adding fault: Int = 0) {
        let replay = replay.store("main")
        switch self {
        case .selfReducing:
            replay.verify(
                Counter.self, (any SelfReducing<Counter>).self, decoding: SelfReducingCounter.actions
            ) { counter, action in
                action.reduce(&counter)
                counter.count += fault
            }
        case .executable:
            replay.verify(
                Counter.self, (any ExecutableCounter.Action).self, decoding: ExecutableCounter.actions
            ) { counter, action in
                action.reduce(&counter)
                counter.count += fault
            }
        case .feedback:
            replay.verify(Counter.self, CounterAction.self) { counter, action in
                _ = FeedbackCounter.reduce(&counter, action)
                counter.count += fault
            }
        case .reducers, .creators, .flux, .effects, .driver, .history:
            replay.verify(Counter.self, CounterAction.self) { counter, action in
                reduceCounter(&counter, action)
                counter.count += fault
            }
        }
    }
}
