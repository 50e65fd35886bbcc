import StateTapeStore
import Testing

@Suite("Stores registered for some actions")
struct RegistrationTests {
    private protocol AppAction {}
    private protocol CartAction: AppAction {}
    private struct Add: CartAction { var number: Int }
    private struct Remove: CartAction { var number: Int }
    private struct Rename: AppAction { var name: String }
    private class Opened: AppAction {}
    private final class OpenedTwice: Opened {}

    private func store() -> Store<[String], any AppAction> {
        Store(initial: [], reducer: { $0.append("\(type(of: $1))") })
    }

    @Test("A store receives the actions of its types only, also of subclasses and protocols")
    func types() {
        let dispatcher = Dispatcher<any AppAction>()
        let (some, cart, all) = (store(), store(), store())
        let registrations = [
            dispatcher.register(some, for: Add.self, Opened.self),
            dispatcher.register(cart, for: (any CartAction).self),
            dispatcher.register(all),
        ]
        let actions: [any AppAction] = [Add(number: 1), Remove(number: 1), Rename(name: ""), OpenedTwice()]
        for action in actions { dispatcher.dispatch(action) }
        #expect(some.state == ["Add", "OpenedTwice"])
        #expect(cart.state == ["Add", "Remove"])
        #expect(all.state.count == 4)
        withExtendedLifetime(registrations) {}
    }

    @Test("A store with actions of its own receives what the closure makes of an action")
    func mapped() {
        let dispatcher = Dispatcher<any AppAction>()
        let counter = Store(initial: Counter(), reducer: count)
        let registration = dispatcher.register(counter) { action in
            switch action {
            case let add as Add: .add(add.number)
            case let remove as Remove: .add(-remove.number)
            default: nil
            }
        }
        dispatcher.dispatch(Add(number: 3))
        dispatcher.dispatch(Rename(name: "a"))
        dispatcher.dispatch(Remove(number: 1))
        #expect(counter.state.added == [3, -1])
        withExtendedLifetime(registration) {}
    }

    @Test("A store that holds its registration receives actions until it is released")
    func held() {
        let dispatcher = Dispatcher<CounterAction>()
        let asked = Seen<Int>()
        var store: Store<Counter, CounterAction>? = Store(initial: Counter(), reducer: count)
        weak let gone = store
        if let store {
            store.hold(
                dispatcher.register(store) { action in
                    asked(1)
                    return action
                })
        }
        dispatcher.dispatch(.add(1))
        #expect(store?.state.count == 1)
        store = nil
        #expect(gone == nil)
        dispatcher.dispatch(.add(1))
        #expect(asked.values.count == 1)
    }

    @Test("A store may be released while it receives an action")
    func releasedDuringUse() {
        let dispatcher = Dispatcher<CounterAction>()
        let box = Box<Store<Counter, CounterAction>>()
        let seen = Seen<Int>()
        box.value = Store(
            initial: Counter(),
            reducer: { state, action in
                box.value = nil
                count(&state, action)
                seen(state.count)
            })
        if let store = box.value { store.hold(dispatcher.register(store)) }
        dispatcher.dispatch(.add(1))
        dispatcher.dispatch(.add(1))
        #expect(seen.values == [1])
    }

    @Test("A store may hold a subscription of its own")
    func own() {
        let seen = Seen<Int>()
        do {
            let store = Store(initial: Counter(), reducer: count)
            store.hold(store.subscribe(\.count) { seen($0) })
            store.dispatch(.add(1))
        }
        #expect(seen.values == [0, 1])
    }
}
