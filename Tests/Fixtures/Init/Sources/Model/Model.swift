import Observation

struct ModelState: Codable { var items: [String] = [] }
enum ModelAction: Codable { case add(String), clear }

@MainActor @Observable final class Model {
    private(set) var state = ModelState()

    func send(_ action: ModelAction) {
        switch action {
        case .add(let item): state.items.append(item)
        case .clear: self.state = ModelState()
        }
    }
}
