import StateTape
import StateTapeStore

/// Redux with action creators: functions of the state that make actions, at once or over time.
final class CreatorsCounter: CounterApp {
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        store = Store(initial: Counter(), reducer: reduceCounter).taped(by: recorder)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(from: Self.adding(number)) }

    func ask() {
        store.dispatch { state, dispatch in
            if state()?.isAsking ?? true { return }
            await dispatch(.ask)
            await dispatch(.answered(number: await NumberServer.number()))
        }
    }

    /// Adds a number, unless that changes nothing.
    private static func adding(_ number: Int) -> ActionCreator<Counter, CounterAction> {
        { _ in number == 0 ? nil : .add(number: number) }
    }
}
