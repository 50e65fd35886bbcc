import Puredux

struct FlowState: Codable, Sendable { var count = 0 }
enum FlowAction: Codable, Sendable { case add }

struct Flow {
    let store = StateStore<FlowState, FlowAction>(FlowState()) { state, action in
        switch action {
        case .add: state.count += 1
        }
    }
}
