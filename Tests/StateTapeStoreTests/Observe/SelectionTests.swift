import StateTapeStore
import Testing

@Suite("Subscribers of key paths and of items")
struct SelectionTests {
    /// A number that counts how often it is compared.
    private struct Counted: Equatable {
        var number = 0
        let comparisons: Seen<Int>

        static func == (left: Self, right: Self) -> Bool {
            left.comparisons(left.number)
            return left.number == right.number
        }
    }

    private struct App {
        var rows: [Counted]
        var byName: [String: Counted] = [:]
        var other = 0
    }

    private let comparisons = Seen<Int>()

    private func store(_ rows: Int) -> Store<App, (inout App) -> Void> {
        let rows = (0..<rows).map { Counted(number: $0, comparisons: comparisons) }
        return Store(
            initial: App(rows: rows, byName: ["a": rows[0], "b": rows[1]]),
            reducer: { state, change in change(&state) })
    }

    @Test("A part is compared once for a thousand subscribers of an equal key path")
    func shared() {
        let store = store(2)
        let seen = Seen<Int>()
        let subscriptions = (0..<1_000).map { _ in store.subscribe(\.rows[1]) { seen($0.number) } }
        store.dispatch { $0.other += 1 }
        #expect(comparisons.values.count == 1)
        #expect(seen.values.count == 1_000)
        store.dispatch { $0.rows[1].number = 7 }
        #expect(comparisons.values.count == 2)
        #expect(seen.values.dropFirst(1_000) == ArraySlice(repeating: 7, count: 1_000))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("Rows of an unchanged list aren't compared, and only the changed rows of a changed list are delivered")
    func rows() {
        let store = store(1_000)
        let seen = Seen<[Int]>()
        let subscriptions = (0..<1_000).map { row in
            store.subscribe(\.rows, at: row) { seen([row, $0?.number ?? -1]) }
        }
        let first = seen.values.count
        for _ in 0..<10 { store.dispatch { $0.other += 1 } }
        #expect(comparisons.values.isEmpty)
        store.dispatch { for row in [3, 500] { $0.rows[row].number = -row } }
        #expect(seen.values.dropFirst(first) == [[3, -3], [500, -500]])
        // One for each row, and those up to the first difference when the list is compared.
        #expect(comparisons.values.count == 1_000 + 4)
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A row that is removed is nil, and one that comes back is delivered")
    func removal() {
        let store = store(2)
        let seen = Seen<Int?>()
        let rows = [-1, 1, .max, .min].map { row in store.subscribe(\.rows, at: row) { seen($0?.number) } }
        #expect(seen.values == [nil, 1, nil, nil])
        store.dispatch { $0.rows.removeLast() }
        store.dispatch { $0.rows[0].number = 5 }
        store.dispatch { $0.rows.append($0.rows[0]) }
        #expect(seen.values.dropFirst(4) == [nil, 5])
        withExtendedLifetime(rows) {}
    }

    @Test("A value of a dictionary is delivered when it changes, is removed and comes back")
    func dictionary() {
        let store = store(2)
        let seen = Seen<Int?>()
        let subscription = store.subscribe(\.byName, at: "b") { seen($0?.number) }
        store.dispatch { $0.byName["a"]?.number = 9 }
        store.dispatch { $0.byName["b"]?.number = 9 }
        store.dispatch { $0.byName["b"] = nil }
        store.dispatch { $0.byName["b"] = $0.byName["a"] }
        #expect(seen.values == [1, 9, nil, 9])
        withExtendedLifetime(subscription) {}
    }

    @Test("Subscribers of closures, key paths and items are called in the order of their subscriptions")
    func order() {
        let store = store(2)
        let order = Seen<Int>()
        var subscriptions = [
            store.subscribe(\.rows, at: 1) { _ in order(0) },
            store.subscribe(\.rows[0]) { _ in order(1) },
            store.subscribe { _ in order(2) },
            store.subscribe(\.rows, at: 0) { _ in order(3) },
            store.subscribe(\.rows[0]) { _ in order(4) },
            store.subscribe({ $0.rows[0] }, { _ in order(5) }),
            store.subscribe(\.rows, at: 1) { _ in order(6) },
        ]
        store.dispatch { $0.rows[0].number = 3 }
        store.dispatch { $0.rows = [$0.rows[1], $0.rows[0]] }
        subscriptions.remove(at: 1)
        store.dispatch { $0.rows = [$0.rows[1], $0.rows[0]] }
        #expect(order.values.dropFirst(7) == [1, 2, 3, 4, 5] + [0, 1, 2, 3, 4, 5, 6] + [0, 2, 3, 4, 5, 6])
    }

    @Test("A dispatch from a subscriber of a row runs after all subscribers were called")
    func dispatchNested() {
        let store = store(2)
        let seen = Seen<Int>()
        let subscriptions = [
            store.subscribe(\.rows, at: 0) { row in
                if row?.number == 1 { store.dispatch { $0.rows[0].number = 2 } }
                seen(row?.number ?? -1)
            },
            store.subscribe(\.rows[0]) { seen($0.number * 10) },
        ]
        store.dispatch { $0.rows[0].number = 1 }
        #expect(seen.values == [0, 0, 1, 10, 2, 20])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A subscription that ends during a delivery receives nothing more, and one that begins receives the state")
    func changedNested() {
        let store = store(2)
        let seen = Seen<String>()
        let (second, third) = (Box<Subscription>(), Box<Subscription>())
        let first = store.subscribe(\.rows, at: 0) { row in
            guard row?.number == 1 else { return }
            second.value?.cancel()
            third.value = store.subscribe(\.rows, at: 0) { seen("third \($0?.number ?? -1)") }
        }
        second.value = store.subscribe(\.rows, at: 0) { seen("second \($0?.number ?? -1)") }
        store.dispatch { $0.rows[0].number = 1 }
        store.dispatch { $0.rows[0].number = 2 }
        #expect(seen.values == ["second 0", "third 1", "third 2"])
        first.cancel()
    }

    @Test("What nothing selects any more isn't compared, and can be selected again")
    func end() {
        let store = store(3)
        for _ in 0..<3 {
            var subscriptions = (0..<3).map { row in store.subscribe(\.rows, at: row) { _ in } }
            let path = store.subscribe(\.rows) { _ in }
            subscriptions.remove(at: 1)
            store.dispatch { $0.rows[2].number += 1 }
            path.cancel()
            let before = comparisons.values.count
            store.dispatch { $0.rows[2].number += 1 }
            // Three of the list, and one of each row.
            #expect(comparisons.values.count == before + 5)
            subscriptions = []
            store.dispatch { $0.rows[2].number += 1 }
            #expect(comparisons.values.count == before + 5)
        }
    }

    @Test("An ended subscription releases its closure, and a released store those of all selections")
    func release() {
        final class Token {}
        var store: Store<App, (inout App) -> Void>? = store(2)
        weak let released = store
        weak var ended: Token?
        weak var kept: Token?
        var subscriptions: [Subscription?] = []
        do {
            let tokens = (Token(), Token())
            (ended, kept) = tokens
            subscriptions = [
                store?.subscribe(\.rows, at: 0) { [token = tokens.0] _ in _ = token },
                store?.subscribe(\.rows, at: 1) { [token = tokens.1] _ in _ = token },
            ]
        }
        subscriptions[0]?.cancel()
        #expect(ended == nil)
        #expect(kept != nil)
        store = nil
        #expect(released == nil)
        #expect(kept == nil)
        subscriptions[1]?.cancel()
    }

    @Test("Rows are subscribed and released on many threads during dispatches, and the last state arrives")
    func threads() {
        let store = Store<[Int], Int>(initial: [0, 0, 0], reducer: { $0[$1] += 1 })
        let last = Seen<Int>()
        let kept = Seen<Subscription>()
        let look: @Sendable () -> Void = {
            for round in 0..<300 {
                kept(store.subscribe(\.self, at: round % 3) { if $0 == 200 { last(round % 3) } })
                store.subscribe(\.self, at: 2) { _ in }.cancel()
                store.subscribe(\.[1]) { _ in }.cancel()
            }
        }
        let change: @Sendable () -> Void = { for round in 0..<300 { store.dispatch(round % 3) } }
        onThreads([look, change, look, change])
        #expect(store.state == [200, 200, 200])
        #expect(last.values.count == 600)
        #expect(kept.values.count == 600)
    }
}
