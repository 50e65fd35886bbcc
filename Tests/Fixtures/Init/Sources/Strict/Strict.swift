struct StrictState { var count = 0 }
enum StrictAction { case add, remove }
struct Empty: Error {}

final class Strict {
    var state = StrictState()

    init() {}

    func send(_ action: StrictAction) throws {
        switch action {
        case .add: state.count += 1
        case .remove:
            guard state.count > 0 else { throw Empty() }
            state.count -= 1
        }
    }
}
