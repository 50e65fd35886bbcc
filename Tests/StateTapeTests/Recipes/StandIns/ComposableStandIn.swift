/// The shape of the Composable Architecture: reducers return an effect, the store belongs to the main actor.
enum ComposableArchitecture {
    struct Effect<Action>: Sendable {
        typealias Send = @MainActor @Sendable (Action) -> Void
        fileprivate var start: @MainActor @Sendable (@escaping Send) -> Void = { _ in }
        static var none: Effect { Effect() }
        static func run(_ start: @escaping @MainActor @Sendable (@escaping Send) -> Void) -> Effect {
            Effect(start: start)
        }
        func map<T>(_ transform: @escaping @Sendable (Action) -> T) -> Effect<T> {
            Effect<T> { [start] send in start { send(transform($0)) } }
        }
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
            reduce(&state, action).start { self.send($0) }
            return StoreTask()
        }
    }
}
