import StateTapeStore
import Testing

@Suite struct SubscriptionTests {
    @Test("A selection receives its first value, and then only changes")
    func duplicates() {
        let store = Store(initial: Counter(), reducer: count)
        let names = Seen<String>()
        let parities = Seen<Int>()
        let subscriptions = [
            store.subscribe(\.name) { names($0) },
            store.subscribe({ $0.count }, isDuplicate: { $0 % 2 == $1 % 2 }, { parities($0) }),
        ]
        store.dispatch(.add(2))
        store.dispatch(.rename("a"))
        store.dispatch(.rename("a"))
        store.dispatch(.add(1))
        #expect(names.values == ["", "a"])
        #expect(parities.values == [0, 3])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A cancelled subscription receives nothing more, not even the state that is being delivered")
    func cancelWhileDelivering() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let second = Box<Subscription>()
        let first = store.subscribe { if $0.count == 1 { second.value?.cancel() } }
        second.value = store.subscribe { seen($0.count) }
        store.dispatch(.add(1))
        store.dispatch(.add(1))
        #expect(seen.values == [0])
        first.cancel()
    }

    @Test("A subscriber may cancel itself without affecting others")
    func cancelItself() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let other = Seen<Int>()
        let box = Box<Subscription>()
        box.value = store.subscribe {
            seen($0.count)
            if $0.count == 1 { box.value?.cancel() }
        }
        let subscription = store.subscribe { other($0.count) }
        store.dispatch(.add(1))
        store.dispatch(.add(1))
        #expect(seen.values == [0, 1])
        #expect(other.values == [0, 1, 2])
        subscription.cancel()
    }

    @Test("A released subscription ends")
    func release() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        _ = store.subscribe { seen($0.count) }
        store.dispatch(.add(1))
        #expect(seen.values == [0])
    }

    @Test("A subscriber that is added during a delivery receives that state and later ones")
    func subscribeNested() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let late = Box<Subscription>()
        let first = store.subscribe {
            if $0.count == 1 {
                late.value = store.subscribe { seen($0.count) }
                store.dispatch(.add(1))
            }
        }
        store.dispatch(.add(1))
        #expect(seen.values == [1, 2])
        first.cancel()
    }

    @Test("A subscriber that is added and cancelled during a delivery receives nothing")
    func cancelledBeforeItsTurn() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        let first = store.subscribe {
            if $0.count == 1 { store.subscribe { seen($0.count) }.cancel() }
        }
        store.dispatch(.add(1))
        store.dispatch(.add(1))
        #expect(seen.values.isEmpty)
        first.cancel()
    }
}
