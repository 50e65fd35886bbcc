import StateTape
import StateTapeStore

/// Redux: one state, one reducer. A view that needs a number asks for it, and dispatches what came.
final class ReducersCounter: CounterApp {
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        store = Store(initial: Counter(), reducer: reduceCounter).taped(by: recorder)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }

    func ask() {
        store.dispatch(.ask)
        Task { [store] in store.dispatch(.answered(number: await NumberServer.number())) }
    }
}
