import Dispatch

/// The shape of SwiftUIFlux: the state can be set, and actions are reduced on the main queue, later.
enum SwiftUIFlux {
    protocol Action {}
    protocol FluxState {}

    // Unchecked: all of it is the main queue's.
    final class Store<StoreState: FluxState>: @unchecked Sendable {
        var state: StoreState
        private let reducer: (StoreState, any Action) -> StoreState

        init(reducer: @escaping (StoreState, any Action) -> StoreState, state: StoreState) {
            self.reducer = reducer
            self.state = state
        }

        func dispatch(action: any Action) {
            let hand = Hand(action: action)
            DispatchQueue.main.async { self.reduce(hand.action) }
        }

        private func reduce(_ action: any Action) { state = reducer(state, action) }

        // Unchecked: the giver does not touch it again.
        private struct Hand: @unchecked Sendable {
            let action: any Action
        }
    }
}
