import Observation

struct ModelState: Equatable { var items: [ModelItem] = [] }
struct ModelItem: Equatable { var name: String; var kind: ModelKind = .plain }
enum ModelKind: String { case plain, other }
enum ModelAction: Equatable { case add(String), clear }

@MainActor @Observable final class Model {
    private(set) var state = ModelState()

    func send(_ action: ModelAction) {
        switch action {
        case .add(let item): state.items.append(ModelItem(name: item))
        case .clear: self.state = ModelState()
        }
    }
}
