import StateTapeStore
import Testing

@Suite struct EffectTests {
    @Test("An effect receives the new state, runs after the reducer, and dispatches its result")
    func effect() async {
        let store = Store<Counter, CounterAction>(
            initial: Counter(), reducer: count,
            effects: { action, state in
                guard case .add = action else { return nil }
                let found = "count \(state.count)"
                return Effect { dispatch in
                    await Task.yield()
                    await dispatch(.rename(found))
                }
            })
        let names = names(of: store)
        store.dispatch(.add(5))
        let name = await names.first { @Sendable in !$0.isEmpty }
        #expect(name == "count 5")
    }

    @MainActor @Test("An effect dispatches on the actor on which its store was created")
    func isolation() async {
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            reducer: { state, action in
                MainActor.preconditionIsolated()
                count(&state, action)
            },
            effects: { action, _ in
                guard action == .add(1) else { return nil }
                return Effect { dispatch in
                    await Task.detached {}.value
                    await dispatch(.rename("done"))
                }
            })
        let names = names(of: store)
        store.dispatch(.add(1))
        let name = await names.first { @Sendable in !$0.isEmpty }
        #expect(name == "done")
    }

    @Test("Actions need not be Sendable for an effect to dispatch them")
    func notSendable() async {
        final class Name {
            let text: String
            init(_ text: String) { self.text = text }
        }
        let store = Store<String, Name>(
            initial: "", reducer: { $0 = $1.text },
            effects: { name, _ in
                guard name.text == "a" else { return nil }
                return Effect { dispatch in await dispatch(Name("b")) }
            })
        let (states, continuation) = AsyncStream.makeStream(of: String.self)
        let subscription = store.subscribe { continuation.yield($0) }
        store.dispatch(Name("a"))
        let state = await states.first { $0 == "b" }
        #expect(state == "b")
        subscription.cancel()
    }

    @Test("An effect doesn't retain its store, and its later actions are ignored")
    func release() async {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        weak var gone: Store<Counter, CounterAction>?
        do {
            let store = Store<Counter, CounterAction>(
                initial: Counter(), reducer: count,
                effects: { _, _ in
                    Effect { dispatch in
                        _ = await gate.first { true }
                        await dispatch(.rename("late"))
                        end.yield()
                    }
                })
            gone = store
            store.dispatch(.add(1))
        }
        #expect(gone == nil)
        open.yield()
        let ended: Void? = await ends.first { true }
        #expect(ended != nil)
    }

    /// The names of the store's states, until the end of the test.
    private func names(of store: Store<Counter, CounterAction>) -> AsyncStream<String> {
        let (names, continuation) = AsyncStream.makeStream(of: String.self)
        let subscription = store.subscribe(\.name) { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.cancel() }
        return names
    }
}
