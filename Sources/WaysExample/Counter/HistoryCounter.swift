import StateTape
import StateTapeStore

/// Time travel inside of the app: the history keeps the actions, and each move is on the tape.
final class HistoryCounter: CounterApp {
    private let track: Track<Counter, CounterAction>
    private let history = History(initial: Counter(), reducer: reduceCounter)
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        track = recorder.track(Counter(), CounterAction.self)
        store = Store(
            initial: track.start, reducer: reduceCounter, middleware: [track.middleware, history.middleware])
        history.connect(store)
        // The history begins with the launch state.
        history.clear()
        track.connect(to: store)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }

    func ask() {
        store.dispatch(.ask)
        Task { [store] in store.dispatch(.answered(number: await NumberServer.number())) }
    }

    func stepBack() { move { $0.stepBack() } }
    func stepForward() { move { $0.stepForward() } }

    /// Moves, and records the state. A move has no action, so the middleware doesn't see it.
    private func move(_ move: (History<Counter, CounterAction>) -> Void) {
        // Someone looks at another state now.
        if track.isHeld { return }
        var state = store.state
        track.set(&state) { state in
            move(history)
            state = store.state
        }
    }
}
