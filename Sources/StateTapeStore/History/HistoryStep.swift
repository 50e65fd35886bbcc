/// One step of a history.
public struct HistoryStep<State, Action> {
    /// An action, or another state.
    public enum Cause {
        /// An action that the reducer received.
        case action(Action)
        /// The state that ``Store/replace(_:)`` set.
        indirect case replacement(State)  // A large state would make every step large.
    }

    /// What made the step.
    public let cause: Cause
    /// Whether states are computed without this step.
    public internal(set) var isSkipped = false

    func apply(to state: inout State, _ reducer: Reducer<State, Action>) {
        if isSkipped { return }
        switch cause {
        case .action(let action): reducer(&state, action)
        case .replacement(let replacement): state = replacement
        }
    }
}

extension HistoryStep: Sendable where State: Sendable, Action: Sendable {}
extension HistoryStep.Cause: Sendable where State: Sendable, Action: Sendable {}
extension HistoryStep: Equatable where State: Equatable, Action: Equatable {}
extension HistoryStep.Cause: Equatable where State: Equatable, Action: Equatable {}
extension HistoryStep: Codable where State: Codable, Action: Codable {}
extension HistoryStep.Cause: Codable where State: Codable, Action: Codable {}
