import StateTapeStore
import Testing

@Suite("Scopes")
struct ScopeTests {
    private struct App: Equatable, Sendable {
        var left = Counter()
        var right = Counter()
    }

    private func store() -> Store<App, CounterAction> {
        Store(initial: App(), reducer: scope(\.left, count))
    }

    @Test("Subscribers of an unchanged part aren't asked")
    func unchanged() {
        let store = store()
        let (left, right) = (store.scope(\.left), store.scope(\.right))
        let asked = Seen<String>()
        let subscriptions = [
            left.subscribe(
                { (part: Counter) in
                    asked("left"); return part.name
                }, { _ in }),
            right.subscribe(
                { (part: Counter) in
                    asked("right"); return part.name
                }, { _ in }),
        ]
        for _ in 0..<3 { store.dispatch(.add(1)) }
        #expect(asked.values.filter { $0 == "left" }.count == 4)
        #expect(asked.values.filter { $0 == "right" }.count == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A subscriber receives the current part, and then its changes")
    func changes() {
        let store = store()
        store.dispatch(.add(1))
        let scope = store.scope(\.left)
        let (parts, names) = (Seen<Int>(), Seen<String>())
        let subscriptions = [scope.subscribe { parts($0.count) }, scope.subscribe(\.name) { names($0) }]
        store.dispatch(.add(1))
        store.dispatch(.rename("a"))
        #expect(parts.values == [1, 2, 2])
        #expect(names.values == ["", "a"])
        #expect(scope.state == store.state.left)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A subscription keeps all scopes that it comes from, until it ends")
    func lifetime() {
        let store = store()
        let seen = Seen<Int>()
        weak var gone: Scope<Int>?
        let subscription: Subscription
        do {
            let scope = store.scope(\.left).scope(\.count)
            gone = scope
            subscription = scope.subscribe { seen($0) }
        }
        store.dispatch(.add(2))
        #expect(seen.values == [0, 2])
        subscription.cancel()
        #expect(gone == nil)
        store.dispatch(.add(2))
        #expect(seen.values == [0, 2])
    }

    @Test("A scope doesn't retain its store")
    func release() {
        var store: Store<App, CounterAction>? = store()
        weak let gone = store
        let scope = store?.scope(\.left)
        let subscription = scope?.subscribe { _ in }
        store = nil
        #expect(gone == nil)
        #expect(scope?.state == Counter())
        withExtendedLifetime(subscription) {}
    }

    @Test("A scope that is made during a dispatch has the current part once")
    func nested() {
        let store = store()
        let seen = Seen<Int>()
        let inner = Box<Subscription>()
        let outer = store.subscribe { state in
            if state.left.count == 1, inner.value == nil {
                inner.value = store.scope(\.left).subscribe { seen($0.count) }
            }
        }
        store.dispatch(.add(1))
        store.dispatch(.add(1))
        #expect(seen.values == [1, 2])
        outer.cancel()
    }

    @Test("Scopes on many threads lose no change")
    func threads() {
        let store = store()
        let last = Seen<Int>()
        let subscriptions = Seen<Subscription>()
        let look: @Sendable () -> Void = {
            for _ in 0..<100 {
                let scope = store.scope(\.left)
                subscriptions(scope.subscribe(\.count) { if $0 == 400 { last($0) } })
                scope.subscribe { _ in }.cancel()
            }
        }
        let change: @Sendable () -> Void = { for _ in 0..<200 { store.dispatch(.add(1)) } }
        onThreads([look, change, look, change])
        #expect(last.values.count == 200)
        #expect(subscriptions.values.count == 200)
    }
}
