import StateTape
import StateTapeStore

/// Time travel inside of the app: the history keeps the actions, and each move is on the tape.
final class HistoryCounter: CounterApp {
    private let history = History(initial: Counter(), reducer: reduceCounter)
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        store = Store(initial: history.start, reducer: reduceCounter, middleware: [history.middleware])
            .taped(by: recorder)
        history.connect(store)
        // The history begins with the launch state.
        history.clear()
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }

    func ask() {
        store.dispatch(.ask)
        Task { [store] in store.dispatch(.answered(number: await NumberServer.number())) }
    }

    // Not while someone looks at another state.
    func stepBack() { if store.gate.isOpen { history.stepBack() } }
    func stepForward() { if store.gate.isOpen { history.stepForward() } }
}
