import StateTape
import StateTapeStore

/// Side effects, executable actions: an action carries its own work.
final class ExecutableCounter: CounterApp {
    protocol Action: Sendable {
        func reduce(_ counter: inout Counter)
    }

    struct Add: Action, Codable {
        var number: Int

        func reduce(_ counter: inout Counter) { counter.count += number }
    }

    struct Ask: Action, ExecutableAction, Codable {
        func reduce(_ counter: inout Counter) { counter.isAsking = true }

        func execute(_ counter: Counter, _ dispatch: Effect<any ExecutableCounter.Action>.Dispatch) async {
            await dispatch(Answered(number: await NumberServer.number()))
        }
    }

    struct Answered: Action, Codable {
        var number: Int

        func reduce(_ counter: inout Counter) {
            counter.count += number
            counter.isAsking = false
        }
    }

    /// The types that a tape of this app has.
    static let actions: [any Codable.Type] = [Add.self, Ask.self, Answered.self]

    private let store: Store<Counter, any Action>

    init(_ recorder: Recorder) {
        store = Store(
            initial: Counter(), reducer: { $1.reduce(&$0) }, effects: Effect<any Action>.executing
        ).taped(by: recorder, decoding: Self.actions)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { store.dispatch(Add(number: number)) }
    func ask() { store.dispatch(Ask()) }
}
