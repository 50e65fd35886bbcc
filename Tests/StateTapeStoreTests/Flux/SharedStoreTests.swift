import Dispatch
import StateTapeStore
import Testing

@Suite("Shared stores")
struct SharedStoreTests {
    private func store() -> Store<Counter, CounterAction> { Store(initial: Counter(), reducer: count) }

    @Test("Features share one store as long as one of them holds it, and the next one gets a new store")
    func sharing() {
        let made = Seen<Int>()
        let shared = SharedStore {
            made(1)
            return store()
        }
        #expect(made.values.isEmpty)
        var first: Store<Counter, CounterAction>? = shared.current
        var second: Store<Counter, CounterAction>? = shared.current
        #expect(first === second)
        first?.dispatch(.add(1))
        first = nil
        #expect(shared.current.state.count == 1)
        second = nil
        #expect(shared.current.state.count == 0)
        #expect(made.values.count == 2)
        withExtendedLifetime((first, second)) {}
    }

    @Test("A shared store that holds its registration receives actions, and none after its end")
    func dispatcher() {
        let dispatcher = Dispatcher<CounterAction>()
        let shared = SharedStore {
            let store = store()
            store.hold(dispatcher.register(store))
            return store
        }
        dispatcher.dispatch(.add(1))
        do {
            let store = shared.current
            dispatcher.dispatch(.add(2))
            #expect(store.state.added == [2])
        }
        dispatcher.dispatch(.add(3))
        #expect(shared.current.state.added.isEmpty)
    }

    @Test("Threads that ask at once get the same store, even if both made one")
    func threads() {
        let making = DispatchGroup()
        for _ in 0..<2 { making.enter() }
        let shared = SharedStore {
            making.leave()
            making.wait()
            return store()
        }
        let got = Seen<Store<Counter, CounterAction>>()
        onThreads((0..<2).map { _ in { @Sendable in got(shared.current) } })
        #expect(got.values.first === got.values.last)
        #expect(got.values.count == 2)
    }
}
