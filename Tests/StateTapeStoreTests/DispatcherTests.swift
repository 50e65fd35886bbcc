import StateTapeStore
import Testing

@Suite("Dispatcher")
struct DispatcherTests {
    private func store() -> Store<Counter, CounterAction> { Store(initial: Counter(), reducer: count) }

    @Test("An action reaches all stores in the order of their registration")
    func order() {
        let dispatcher = Dispatcher<CounterAction>()
        let (first, second) = (store(), store())
        let seen = Seen<String>()
        let registrations = [
            dispatcher.register(first), dispatcher.register { _ in seen("first has \(first.state.count)") },
            dispatcher.register(second), dispatcher.register { _ in seen("second has \(second.state.count)") },
        ]
        dispatcher.dispatch(.add(2))
        #expect(seen.values == ["first has 2", "second has 2"])
        withExtendedLifetime(registrations) {}
    }

    @Test("A nested dispatch runs after the current action has reached all stores")
    func nested() {
        let dispatcher = Dispatcher<CounterAction>()
        let seen = Seen<String>()
        let registrations = [
            dispatcher.register { action in
                seen("first \(action)")
                if action == .add(1) { dispatcher.dispatch(.add(2)) }
            },
            dispatcher.register { seen("second \($0)") },
        ]
        dispatcher.dispatch(.add(1))
        #expect(seen.values == ["first add(1)", "second add(1)", "first add(2)", "second add(2)"])
        withExtendedLifetime(registrations) {}
    }

    @Test("A store receives actions until its registration ends, and isn't retained")
    func registration() {
        let dispatcher = Dispatcher<CounterAction>()
        let kept = store()
        var other: Store<Counter, CounterAction>? = store()
        weak let gone = other
        var registration: Subscription? = dispatcher.register(kept)
        let stays = other.map { dispatcher.register($0) }
        other = nil
        #expect(gone == nil)
        dispatcher.dispatch(.add(1))
        registration = nil
        dispatcher.dispatch(.add(1))
        #expect(kept.state.count == 1)
        withExtendedLifetime((registration, stays)) {}
    }

    @Test("A store that registers during an action receives the next one first")
    func late() {
        let dispatcher = Dispatcher<CounterAction>()
        let late = store()
        var registrations: [Subscription] = []
        registrations.append(
            dispatcher.register { _ in
                if registrations.count == 1 { registrations.append(dispatcher.register(late)) }
            })
        dispatcher.dispatch(.add(1))
        dispatcher.dispatch(.add(2))
        #expect(late.state.added == [2])
    }

    @Test("Middleware wraps the dispatch of each action, and may stop it")
    func middleware() {
        let seen = Seen<String>()
        let dispatcher = Dispatcher<CounterAction>(middleware: [
            { next in
                { action in
                    seen("begin")
                    if action != .add(0) { next(action) }
                    seen("end")
                }
            }
        ])
        let registration = dispatcher.register { seen("\($0)") }
        for number in 0...1 { dispatcher.dispatch(.add(number)) }
        #expect(seen.values == ["begin", "end", "begin", "add(1)", "end"])
        withExtendedLifetime(registration) {}
    }

    @Test("Actions from many threads reach all stores in the same order")
    func threads() {
        let dispatcher = Dispatcher<CounterAction>()
        let (first, second) = (store(), store())
        let registrations = [dispatcher.register(first), dispatcher.register(second)]
        onThreads(
            (0..<4).map { thread in { for number in 0..<250 { dispatcher.dispatch(.add(thread * 250 + number)) } } })
        #expect(first.state.added.sorted() == Array(0..<1_000))
        #expect(first.state.added == second.state.added)
        withExtendedLifetime(registrations) {}
    }
}
