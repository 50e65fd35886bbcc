/// The shape of the Composable Architecture: reducers return an effect, the store belongs to the main actor.
enum ComposableArchitecture {
    struct Effect<Action>: Sendable {
        fileprivate var start: @Sendable () -> Void = {}
        static var none: Effect { Effect() }
        static func run(_ start: @escaping @Sendable () -> Void) -> Effect { Effect(start: start) }
        func map<T>(_ transform: @escaping @Sendable (Action) -> T) -> Effect<T> { Effect<T>(start: start) }
    }

    protocol Reducer<State, Action> {
        associatedtype State
        associatedtype Action
        func reduce(into state: inout State, action: Action) -> Effect<Action>
    }

    struct StoreTask {}

    @MainActor final class Store<State, Action> {
        private(set) var state: State
        private let reduce: (inout State, Action) -> Effect<Action>

        init<R: Reducer<State, Action>>(initialState: State, reducer: () -> R) {
            state = initialState
            let reducer = reducer()
            reduce = { reducer.reduce(into: &$0, action: $1) }
        }

        @discardableResult func send(_ action: Action) -> StoreTask {
            reduce(&state, action).start()
            return StoreTask()
        }
    }
}
