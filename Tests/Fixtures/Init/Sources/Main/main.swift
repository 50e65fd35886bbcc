import StateTapeStore

struct AppState: Codable { var count = 0 }
enum AppAction: Codable { case add(Int) }

func appReducer(_ state: inout AppState, _ action: AppAction) {
    switch action {
    case .add(let number): state.count += number
    }
}

let store = Store(initial: AppState(), reducer: appReducer)
store.dispatch(.add(2))
store.dispatch(.add(3))
print(store.state.count)
// An app runs on; a process that ends at once would take its tape with it.
_ = readLine()
