import StateTapeStore
import Testing

@Suite struct MiddlewareTests {
    private static func noting(_ name: String, in order: Seen<String>) -> Middleware<Counter, CounterAction> {
        { next in
            { action, state in
                order("\(name) before \(state.count)")
                next(action, &state)
                order("\(name) after \(state.count)")
            }
        }
    }

    @Test("The first middleware is the outermost, and sees the state before and after")
    func order() {
        let order = Seen<String>()
        let store = Store(
            initial: Counter(), reducer: count,
            middleware: [Self.noting("outer", in: order), Self.noting("inner", in: order)])
        store.dispatch(.add(1))
        #expect(order.values == ["outer before 0", "inner before 0", "inner after 1", "outer after 1"])
    }

    @Test("A middleware that doesn't call next stops the action, its effects and the inner middleware")
    func block() {
        let order = Seen<String>()
        let asked = Seen<CounterAction>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(), reducer: count,
            middleware: [
                { next in { action, state in if action != .add(1) { next(action, &state) } } },
                Self.noting("inner", in: order),
            ],
            effects: { action, _ in
                asked(action)
                return nil
            })
        store.dispatch(.add(1))
        #expect(store.state == Counter())
        #expect(order.values.isEmpty)
        store.dispatch(.add(2))
        #expect(asked.values == [.add(2)])
    }

    @Test(
        "A stopped action calls no subscribers, so that one that dispatches it again doesn't loop forever"
    )
    func stopped() {
        let seen = Seen<Int>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(), reducer: count,
            middleware: [{ next in { action, state in if action != .add(1) { next(action, &state) } } }])
        let subscription = store.subscribe { state in
            seen(state.count)
            if state.count < 9 { store.dispatch(.add(1)) }
        }
        store.dispatch(.add(1))
        store.dispatch(.add(2))
        #expect(seen.values == [0, 2])
        withExtendedLifetime(subscription) {}
    }

    @Test("A middleware may pass on another action, or the same one twice")
    func transform() {
        let asked = Seen<CounterAction>()
        let store = Store<Counter, CounterAction>(
            initial: Counter(), reducer: count,
            middleware: [
                { next in
                    { action, state in
                        next(.rename("seen"), &state)
                        next(action, &state)
                    }
                }
            ],
            effects: { action, _ in
                asked(action)
                return nil
            })
        store.dispatch(.add(1))
        #expect(store.state == Counter(count: 1, added: [1], name: "seen"))
        #expect(asked.values == [.rename("seen"), .add(1)])
    }
}
