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

    @Test("Of thousands of subscriptions that end in any order, the others are called in their order")
    func many() {
        let store = Store(initial: Counter(), reducer: count)
        let seen = Seen<Int>()
        var subscriptions = (0..<5_000).map { number in
            // Some select by key path.
            number % 3 == 0
                ? store.subscribe(\.count) { _ in seen(number) } : store.subscribe { _ in seen(number) }
        }
        var kept = Array(0..<5_000)
        // 17 and 5 000 have no common divisor, so each is met once.
        for step in 1...5_000 {
            let number = step * 17 % 5_000
            subscriptions[number].cancel()
            guard step % 1_000 == 0 else { continue }
            let ended = Set((1...step).map { $0 * 17 % 5_000 })
            kept = (0..<5_000).filter { !ended.contains($0) }
            let before = seen.values.count
            store.dispatch(.add(1))
            #expect(Array(seen.values.dropFirst(before)) == kept)
        }
        #expect(kept.isEmpty)
        subscriptions = []
    }
}
