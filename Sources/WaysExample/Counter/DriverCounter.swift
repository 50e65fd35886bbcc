import StateTape
import StateTapeStore

/// Side effects, a driver: the state says which work runs. An applied state starts its work, too.
final class DriverCounter: CounterApp {
    enum Request: Hashable, Sendable {
        case number
    }

    private let store: Store<Counter, CounterAction>
    private let driver: Driver<Request>

    init(_ recorder: Recorder) {
        store = Store(initial: Counter(), reducer: reduceCounter).taped(by: recorder)
        driver = Driver(
            of: store,
            wants: { $0.isAsking ? [.number] : [] },
            run: { _, dispatch in await dispatch(.answered(number: await NumberServer.number())) })
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }
    func ask() { store.dispatch(.ask) }
}
