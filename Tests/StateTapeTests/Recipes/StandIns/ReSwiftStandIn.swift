/// The shape of ReSwift: actions are existentials, and only a reducer sets the state.
enum ReSwift {
    protocol Action {}

    final class Store<State> {
        private(set) var state: State!
        private let reducer: (any Action, State?) -> State

        init(reducer: @escaping (any Action, State?) -> State, state: State?) {
            self.reducer = reducer
            self.state = state
        }

        func dispatch(_ action: any Action) { state = reducer(action, state) }
    }
}
