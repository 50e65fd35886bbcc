import StateTape
import StateTapeStore

/// Self-reducing actions: each action is a type that has its reducer, and its work, with it.
final class SelfReducingCounter: CounterApp {
    struct Add: SelfReducing, Codable {
        var number: Int

        func reduce(_ counter: inout Counter) { counter.count += number }
    }

    struct Ask: SelfExecuting, Codable {
        func reduce(_ counter: inout Counter) { counter.isAsking = true }

        func execute() async throws -> Int { await NumberServer.number() }

        func reduce(_ counter: inout Counter, _ number: Int) {
            counter.count += number
            counter.isAsking = false
        }
    }

    /// The types that a tape of this app has.
    static let actions: [any Codable.Type] = [Add.self, Ask.self, Finished<Ask>.self]

    private let store: ActionStore<Counter>

    init(_ recorder: Recorder) {
        store = ActionStore(initial: Counter(), rules: [UniqueRule(Ask.self, cancelBehavior: .last)])
            .taped(by: recorder, decoding: Self.actions)
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { Add(number: number).dispatch(to: store) }
    func ask() { Ask().dispatch(to: store) }
}
