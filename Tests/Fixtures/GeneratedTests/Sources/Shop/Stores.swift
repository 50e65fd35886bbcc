struct AppState: Codable, Sendable {
    var items: [String] = []
}

enum AppAction: Codable, Sendable {
    case add(String)
    case login(password: String)
}

func appReducer(_ state: inout AppState, _ action: AppAction) {
    if case .add(let item) = action { state.items.append(item) }
}

enum Cart {
    struct State: Codable, Sendable {
        var total = 0
    }

    enum Action: Codable, Sendable {
        case put(Int)
    }
}

func cartReducer(_ state: inout Cart.State, _ action: Cart.Action) {
    if case .put(let price) = action { state.total += price }
}

struct Box<Value: Codable & Sendable>: Codable, Sendable {
    var value: Value
}

enum Change<Value: Codable & Sendable>: Codable, Sendable {
    case set(Value)
}

func boxReducer(_ box: inout Box<Int>, _ change: Change<Int>) {
    if case .set(let value) = change { box.value = value }
}

/// Has a name that Testing has, too.
struct Issue: Codable, Sendable {
    var title = ""
}

protocol Event: Sendable {}

struct Opened: Event, Codable {
    let title: String
}

struct Closed: Event, Codable {}

func issueReducer(_ issue: inout Issue, _ event: any Event) {
    issue.title = (event as? Opened)?.title ?? ""
}

struct Notes: Codable, Sendable {
    var texts: [String] = []
}

/// Has the form of ReSwift's reducers.
func notesReducer(action: any Event, state: Notes?) -> Notes {
    var notes = state ?? Notes()
    if let opened = action as? Opened { notes.texts.append(opened.title) }
    return notes
}

struct Basket: Codable, Sendable {
    var items: [String] = []
}

enum BasketAction: Codable, Sendable {
    case add(String)
}

/// Reduces in a method.
@MainActor final class BasketModel {
    var state = Basket()

    func send(_ action: BasketAction) {
        if case .add(let item) = action { state.items.append(item) }
    }
}
