import Foundation
import OrderedCollections

/// The same elements in a dictionary of swift-collections, encoded as alternating keys and values.
struct OrderedState: Codable {
    var todos: OrderedDictionary<Int, BenchState.Todo>
    var counter = 0

    static func ofSize(_ bytes: Int) -> OrderedState {
        OrderedState(
            todos: OrderedDictionary(
                uniqueKeysWithValues: BenchState.ofSize(bytes).todos.map { ($0.id, $0) }))
    }

    static func reduce(_ state: inout OrderedState, _ action: BenchAction) {
        guard case .toggle(let index) = action else { return }
        state.todos.values[index % state.todos.count].done.toggle()
        state.counter += 1
    }
}

/// The identity that TCA's `@ObservableState` adds to each struct: a class instance, copied on write and not encoded.
struct StateIdentity {
    private final class Storage {
        var value = UUID()
    }

    private var storage = Storage()

    mutating func renew() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage() }
        storage.value = UUID()
    }
}

/// The same elements, each with such an identity.
struct ObservedState: Codable {
    struct Todo: Codable {
        private enum CodingKeys: CodingKey {
            case todo
        }

        var todo: BenchState.Todo {
            didSet { identity.renew() }
        }
        private var identity = StateIdentity()

        init(_ todo: BenchState.Todo) { self.todo = todo }
    }

    private enum CodingKeys: CodingKey {
        case todos, counter
    }

    var todos: [Todo]
    var counter = 0
    private var identity = StateIdentity()

    static func ofSize(_ bytes: Int) -> ObservedState {
        ObservedState(todos: BenchState.ofSize(bytes).todos.map(Todo.init))
    }

    private init(todos: [Todo]) { self.todos = todos }

    static func reduce(_ state: inout ObservedState, _ action: BenchAction) {
        guard case .toggle(let index) = action else { return }
        state.todos[index % state.todos.count].todo.done.toggle()
        state.counter += 1
        state.identity.renew()
    }
}
