import StateTape
import StateTapeStore

/// Side effects, feedback: the reducer changes the state and returns the work.
final class FeedbackCounter: CounterApp {
    private let store: Store<Counter, CounterAction>

    init(_ recorder: Recorder) {
        store = Store(initial: Counter(), feedback: Self.reduce).taped(by: recorder)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(.add(number: number)) }
    func ask() { store.dispatch(.ask) }

    nonisolated static func reduce(_ counter: inout Counter, _ action: CounterAction) -> Effect<CounterAction>? {
        switch action {
        case .add(let number):
            counter.count += number
            return nil
        case .ask:
            counter.isAsking = true
            return Effect(id: "ask") { dispatch in await dispatch(.answered(number: await NumberServer.number())) }
        case .answered(let number):
            counter.count += number
            counter.isAsking = false
            return nil
        }
    }
}
