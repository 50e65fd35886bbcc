import StateTapeStore
import Testing

@Suite("Sequences of states", .timeLimit(.minutes(1)))
struct StatesTests {
    private func store() -> Store<Counter, CounterAction> { Store(initial: Counter(), reducer: count) }

    @Test("A sequence begins with the current state")
    func states() async {
        let store = store()
        store.dispatch(.add(1))
        var states = store.states.makeAsyncIterator()
        #expect(await states.next()?.count == 1)
        store.dispatch(.add(1))
        #expect(await states.next()?.count == 2)
    }

    @Test("A slow reader receives the newest state only")
    func newest() async {
        let store = store()
        var states = store.states.makeAsyncIterator()
        for _ in 0..<1_000 { store.dispatch(.add(1)) }
        #expect(await states.next()?.count == 1_000)
    }

    @Test("A sequence of a part has its changes only")
    func part() async {
        let store = store()
        var names = store.states(\.name).makeAsyncIterator()
        #expect(await names.next() == "")
        store.dispatch(.rename("a"))
        store.dispatch(.add(1))
        #expect(await names.next() == "a")
        store.dispatch(.add(1))
        store.dispatch(.rename("b"))
        #expect(await names.next() == "b")
    }

    @Test("A sequence ends when the store is released, after its last state")
    func release() async {
        var store: Store<Counter, CounterAction>? = store()
        guard let states = store?.states else { return }
        let names = store?.states(\.name)
        store?.dispatch(.add(1))
        store = nil
        var counts: [Int] = []
        for await state in states { counts.append(state.count) }
        #expect(counts == [1])
        for await name in names ?? .finished { #expect(name == "") }
    }

    @Test("A sequence ends when its task is cancelled")
    func cancel() async {
        let store = store()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in store.states { begin.yield() }
        }
        for await _ in begun { break }
        task.cancel()
        await task.value
    }

    @Test("A sequence that nobody reads any longer ends its subscription")
    func dropped() {
        let store = store()
        let asked = Seen<Int>()
        do {
            _ = store.states { state in
                asked(state.count)
                return state.count
            }
        }
        store.dispatch(.add(1))
        #expect(asked.values == [0])
    }
}

extension AsyncStream {
    fileprivate static var finished: Self { AsyncStream { $0.finish() } }
}
