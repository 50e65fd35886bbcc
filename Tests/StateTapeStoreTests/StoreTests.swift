import Foundation
import StateTapeStore
import Testing

@Suite struct StoreTests {
    @Test("When a dispatch returns, the state has changed and the subscribers were called")
    func dispatch() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let subscription = store.subscribe(\.count) { seen($0) }
        store.dispatch(.add(2))
        store.dispatch(.add(3))
        #expect(store.state == Counter(count: 5, added: [2, 3]))
        #expect(seen.values == [0, 2, 5])
        withExtendedLifetime(subscription) {}
    }

    @Test("A dispatch from a reducer, a middleware or a subscriber runs after the current one")
    func nesting() {
        let order = Seen<String>()
        // The closures are created before the store that they dispatch to.
        let box = Box<Store<Counter, CounterAction>>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            reducer: { state, action in
                order("reduce \(action)")
                if action == .add(1) { box.value?.dispatch(.add(10)) }
                count(&state, action)
                order("reduced \(state.count)")
            },
            middleware: [
                { next in
                    { action, state in
                        if action == .add(1) { box.value?.dispatch(.rename("middleware")) }
                        next(action, &state)
                    }
                }
            ])
        box.value = store
        let subscription = store.subscribe { state in
            order("told \(state.count)")
            if state.added == [1] && state.name.isEmpty { store.dispatch(.add(100)) }
        }
        store.dispatch(.add(1))
        #expect(
            order.values == [
                "told 0", "reduce add(1)", "reduced 1", "told 1",
                "reduce rename(\"middleware\")", "reduced 1", "told 1",
                "reduce add(10)", "reduced 11", "told 11",
                "reduce add(100)", "reduced 111", "told 111",
            ])
        subscription.cancel()
    }

    @Test("All dispatches from many threads are reduced, and all subscribers see the same order")
    func manyThreads() {
        let store = Store(initial: Counter(), reducer: count)
        let first = Seen<Int>()
        let second = Seen<Int>()
        let subscriptions = [store.subscribe { first($0.count) }, store.subscribe { second($0.count) }]
        onThreads(
            (0..<8).map { _ in
                { @Sendable in
                    for _ in 0..<1_000 { store.dispatch(.add(1)) }
                }
            })
        #expect(store.state.count == 8_000)
        #expect(first.values == Array(0...8_000))
        #expect(second.values == Array(0...8_000))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("Reads during dispatches on other threads see consistent states")
    func readers() {
        let store = Store(initial: Counter(), reducer: count)
        let torn = Seen<Counter>()
        let reader = { @Sendable in
            for _ in 0..<1_000 {
                let state = store.state
                if state.added.count != state.count { torn(state) }
            }
        }
        let writer = { @Sendable in
            for _ in 0..<1_000 { store.dispatch(.add(1)) }
        }
        onThreads([reader, writer, reader, writer])
        #expect(torn.values.isEmpty)
        #expect(store.state.count == 2_000)
    }

    @Test("A reducer that waits for another thread's dispatch doesn't deadlock, and that action runs next")
    func waiting() {
        let box = Box<Store<Counter, CounterAction>>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            reducer: { state, action in
                if action == .add(1) { onThreads([{ box.value?.dispatch(.add(2)) }]) }
                count(&state, action)
            })
        box.value = store
        store.dispatch(.add(1))
        #expect(store.state.added == [1, 2])
    }

    @Test("A replaced state reaches the subscribers and no middleware")
    func replace() {
        let actions = Seen<CounterAction>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(), reducer: count,
            middleware: [
                { next in
                    { action, state in
                        actions(action)
                        next(action, &state)
                    }
                }
            ])
        let seen = Seen<Int>()
        let subscription = store.subscribe { seen($0.count) }
        store.replace(Counter(count: 40))
        store.dispatch(.add(2))
        #expect(seen.values == [0, 40, 42])
        #expect(actions.values == [.add(2)])
        withExtendedLifetime(subscription) {}
    }

    @Test("A replace from a subscriber runs after the current delivery")
    func replaceNested() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let subscriptions = [
            store.subscribe { if $0.count == 1 { store.replace(Counter(count: 7)) } },
            store.subscribe { seen($0.count) },
        ]
        store.dispatch(.add(1))
        #expect(seen.values == [0, 1, 7])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A released store releases its state, its closures and its subscribers")
    func release() {
        final class Token {}
        weak var inState: Token?
        weak var inReducer: Token?
        weak var inSubscriber: Token?
        weak var gone: Store<Token, Int>?
        var subscription: Subscription?
        do {
            let tokens = (Token(), Token(), Token())
            (inState, inReducer, inSubscriber) = tokens
            let store = Store<Token, Int>(
                initial: tokens.0, reducer: { [token = tokens.1] _, _ in _ = token },
                middleware: [{ next in { next($0, &$1) } }])
            gone = store
            subscription = store.subscribe { [token = tokens.2] _ in _ = token }
            store.dispatch(1)
        }
        #expect(gone == nil)
        #expect(inState == nil)
        #expect(inReducer == nil)
        subscription?.cancel()
        #expect(inSubscriber == nil)
        subscription?.cancel()
    }

    @MainActor @Test("A store works on the main actor, with main actor types and an isolated reducer")
    func mainActor() async {
        let store = Store(initial: MainState(), reducer: reduceOnMain)
        var seen: [Int] = []
        let subscription = store.subscribe(\.count) { seen.append($0) }
        store.dispatch(.increment)
        #expect(seen == [0, 1])
        withExtendedLifetime(subscription) {}
    }
}

@MainActor struct MainState {
    var count = 0
}

@MainActor enum MainAction {
    case increment
}

@MainActor func reduceOnMain(_ state: inout MainState, _ action: MainAction) {
    state.count += 1
}
