import StateTape
import StateTapeStore

/// Side effects, plain actions: one function says which work an action starts.
final class EffectCounter: CounterApp {
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        store = Store(initial: Counter(), reducer: reduceCounter, effects: Self.effect).taped(by: recorder)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }
    func ask() { store.dispatch(.ask) }

    private static func effect(of action: CounterAction, _ counter: Counter) -> Effect<CounterAction>? {
        guard case .ask = action else { return nil }
        return Effect(id: "ask") { dispatch in await dispatch(.answered(number: await NumberServer.number())) }
    }
}
