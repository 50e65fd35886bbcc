/// The shape of ReSwift: actions are existentials, and only a reducer sets the state.
enum ReSwift {
    protocol Action {}
    typealias DispatchFunction = (any Action) -> Void
    typealias Middleware<State> = (@escaping DispatchFunction, @escaping () -> State?) -> (
        @escaping DispatchFunction
    ) -> DispatchFunction

    final class Store<State> {
        private(set) var state: State! { didSet { subscriber?(state) } }
        /// Receives every state, changed or not.
        var subscriber: ((State) -> Void)?
        var middleware: [Middleware<State>]
        private let reducer: (any Action, State?) -> State

        init(
            reducer: @escaping (any Action, State?) -> State, state: State?, middleware: [Middleware<State>] = []
        ) {
            self.reducer = reducer
            self.middleware = middleware
            self.state = state
        }

        func dispatch(_ action: any Action) {
            let chain = middleware.reversed().reduce({ [self] in state = reducer($0, state) }) { next, middleware in
                middleware({ [weak self] in self?.dispatch($0) }, { [weak self] in self?.state })(next)
            }
            chain(action)
        }
    }
}
