import StateTape
import StateTapeStore

/// Flux: a dispatcher gives each action to two stores. One waits for the other, and reads it.
final class FluxCounter: CounterApp {
    /// What the store keeps that waits.
    struct Record: Codable, Equatable, Sendable {
        var highest = 0
    }

    /// An action of the store that waits.
    enum RecordAction: Codable, Equatable, Sendable {
        case counted(to: Int)
    }

    private let dispatcher: Dispatcher<CounterAction>
    private let store: Store<Counter, CounterAction>
    let record: Store<Record, RecordAction>
    private var registrations: [Subscription] = []

    init(_ recorder: Recorder) {
        let dispatcher = Dispatcher<CounterAction>().taped(by: recorder)
        // The page dispatches as the app does: to all stores.
        let store = Store(initial: Counter(), reducer: reduceCounter)
            .taped(by: recorder, through: dispatcher)
        let record = Store(initial: Record(), reducer: Self.reduceRecord).taped(by: recorder, name: "record")

        (self.dispatcher, self.store, self.record) = (dispatcher, store, record)
        registrations.append(
            dispatcher.register(name: "record") { [unowned self] _ in
                // Registered first, and yet it reads the state after the action.
                try self.dispatcher.waitFor(registrations[1])
                self.record.dispatch(.counted(to: self.store.state.count))
            })
        registrations.append(dispatcher.register(store))
    }

    var counter: Counter { store.state }
    var states: AsyncStream<Counter> { store.states }

    func add(_ number: Int) { dispatcher.dispatch(.add(number: number)) }

    func ask() {
        dispatcher.dispatch(.ask)
        Task { [dispatcher] in dispatcher.dispatch(.answered(number: await NumberServer.number())) }
    }

    static func reduceRecord(_ record: inout Record, _ action: RecordAction) {
        switch action {
        case .counted(let count): record.highest = max(record.highest, count)
        }
    }
}
