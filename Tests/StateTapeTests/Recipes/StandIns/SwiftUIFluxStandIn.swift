import Dispatch

/// The shape of SwiftUIFlux: the state can be set, and actions are reduced later, on the main queue. An action that
/// dispatches others does so in front of the reducer.
enum SwiftUIFlux {
    protocol Action {}
    protocol FluxState {}
    protocol AsyncAction: Action {
        func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction)
    }

    typealias DispatchFunction = (any Action) -> Void
    typealias Middleware<State> = (@escaping DispatchFunction, @escaping () -> (any FluxState)?) -> (
        @escaping DispatchFunction
    ) -> DispatchFunction

    // Unchecked: everything is used on the main queue.
    final class Store<StoreState: FluxState>: @unchecked Sendable {
        var state: StoreState
        private let reducer: (StoreState, any Action) -> StoreState
        private let middleware: [Middleware<StoreState>]

        init(
            reducer: @escaping (StoreState, any Action) -> StoreState, middleware: [Middleware<StoreState>] = [],
            state: StoreState
        ) {
            self.reducer = reducer
            self.middleware = middleware
            self.state = state
        }

        func dispatch(action: any Action) {
            let hand = Hand(action: action)
            DispatchQueue.main.async { self.run(hand.action) }
        }

        private func run(_ action: any Action) {
            let executing: DispatchFunction = { [self] action in
                (action as? any AsyncAction)?.execute(state: state) { [weak self] in self?.dispatch(action: $0) }
                state = reducer(state, action)
            }
            let chain = middleware.reversed().reduce(executing) { next, middleware in
                middleware({ [weak self] in self?.dispatch(action: $0) }, { [weak self] in self?.state })(next)
            }
            chain(action)
        }

        // Unchecked: the sender does not touch it again.
        private struct Hand: @unchecked Sendable {
            let action: any Action
        }
    }
}
