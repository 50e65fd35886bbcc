import StateTapeStore
import Testing

@Suite("Action creators")
struct ActionCreatorTests {
    private func store(_ middleware: [Middleware<Counter, CounterAction>] = []) -> Store<Counter, CounterAction> {
        Store(initial: Counter(), reducer: count, middleware: middleware)
    }

    @Test("A creator sees the current state, and its action passes the middleware")
    func action() {
        let passed = Seen<CounterAction>()
        let store = store([
            { next in
                { action, state in
                    passed(action)
                    next(action, &state)
                }
            }
        ])
        store.dispatch(.add(3))
        store.dispatch { .add($0.count * 2) }
        #expect(store.state.added == [3, 6])
        #expect(passed.values == [.add(3), .add(6)])
    }

    @Test("A creator without an action calls no subscriber")
    func nothing() {
        let store = store()
        let seen = Seen<Int>()
        let subscription = store.subscribe { seen($0.count) }
        store.dispatch { _ in nil }
        store.dispatch(.add(1))
        #expect(seen.values == [0, 1])
        withExtendedLifetime(subscription) {}
    }

    @Test("No other thread changes the state between a creator and the reducer")
    func atomic() {
        let store = store()
        let increment: @Sendable () -> Void = {
            for _ in 0..<500 { store.dispatch { .add($0.count < 1_000 ? 1 : 0) } }
        }
        onThreads([increment, increment, increment, increment])
        #expect(store.state.count == 1_000)
    }

    @Test("A creator that a subscriber dispatches runs after the current delivery, with the state of its turn")
    func nested() {
        let store = store()
        let seen = Seen<Int>()
        let subscription = store.subscribe { state in
            seen(state.count)
            if state.count == 1 {
                store.dispatch(.add(10))
                store.dispatch { .add($0.count) }
            }
        }
        store.dispatch(.add(1))
        #expect(seen.values == [0, 1, 11, 22])
        subscription.cancel()
    }

    @Test("An asynchronous creator sees the newest state, and dispatches more than once")
    func asynchronous() async {
        let store = store()
        await store.dispatch { state, dispatch in
            for _ in 0..<3 { await dispatch(.add((state()?.count ?? 0) + 1)) }
        }.value
        #expect(store.state.added == [1, 2, 4])
    }

    @MainActor @Test("An asynchronous creator dispatches on the store's actor")
    func isolation() async {
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            reducer: { state, action in
                MainActor.preconditionIsolated()
                count(&state, action)
            })
        await store.dispatch { _, dispatch in await dispatch(.add(1)) }.value
        #expect(store.state.count == 1)
    }

    @Test("A running creator doesn't retain its store, and sees that it was released")
    func release() async {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let seen = Seen<Int?>()
        weak var gone: Store<Counter, CounterAction>?
        let task: Task<Void, Never>
        do {
            let store = store()
            gone = store
            task = store.dispatch { state, dispatch in
                for await _ in gate { break }
                seen(state()?.count)
                await dispatch(.add(1))
            }
        }
        #expect(gone == nil)
        open.yield()
        await task.value
        #expect(seen.values == [nil])
    }
}
