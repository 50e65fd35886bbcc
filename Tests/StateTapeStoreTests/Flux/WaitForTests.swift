import StateTapeStore
import Testing

@Suite("Waiting for other stores")
struct WaitForTests {
    private let dispatcher: Dispatcher<CounterAction>
    private let errors = Seen<String>()
    private let order = Seen<String>()

    init() {
        dispatcher = Dispatcher { [errors] in errors("\($0)") }
    }

    /// Registers a closure that waits for the registrations in the box.
    private func register(_ name: String, waitFor box: Box<[Subscription]>? = nil) -> Subscription {
        dispatcher.register(name: name) { [unowned dispatcher, order] action in
            for other in box?.value ?? [] { try dispatcher.waitFor(other) }
            order("\(name) \(action)")
        }
    }

    @Test("The named registrations receive the action first, and once")
    func once() {
        let others = Box<[Subscription]>()
        let first = register("first", waitFor: others)
        let second = register("second")
        let third = register("third")
        others.value = [third, second, third]
        dispatcher.dispatch(.add(1))
        dispatcher.dispatch(.add(2))
        #expect(
            order.values == [
                "third add(1)", "second add(1)", "first add(1)", "third add(2)", "second add(2)", "first add(2)",
            ])
        #expect(errors.values.isEmpty)
        withExtendedLifetime(first) {}
    }

    @Test("A store that is waited for has reduced the action")
    func store() {
        let cart = Store(initial: Counter(), reducer: count)
        let others = Box<[Subscription]>()
        let total = dispatcher.register { [unowned dispatcher, order] _ in
            for other in others.value ?? [] { try dispatcher.waitFor(other) }
            order("\(cart.state.count)")
        }
        others.value = [dispatcher.register(cart)]
        dispatcher.dispatch(.add(5))
        #expect(order.values == ["5"])
        withExtendedLifetime(total) {}
    }

    @Test("A cycle is an error that names its stores, and the stores outside of it receive the action")
    func cycle() {
        let (forOuter, forB, forC) = (Box<[Subscription]>(), Box<[Subscription]>(), Box<[Subscription]>())
        let outer = register("outer", waitFor: forOuter)
        let b = register("b", waitFor: forB)
        let c = register("c", waitFor: forC)
        let last = register("last")
        (forOuter.value, forB.value, forC.value) = ([b], [c], [b])
        dispatcher.dispatch(.add(1))
        #expect(
            errors.values == ["These stores wait for each other: b → c → b. Remove one of the calls of waitFor."])
        // c fails; b and outer waited for it, and go on.
        #expect(order.values == ["b add(1)", "outer add(1)", "last add(1)"])
        withExtendedLifetime((outer, last)) {}
    }

    @Test("A registration that waits for itself is a cycle, with the place of its call as the name")
    func itself() {
        let box = Box<[Subscription]>()
        let registration = dispatcher.register { [unowned dispatcher] _ in
            for other in box.value ?? [] { try dispatcher.waitFor(other) }
        }
        box.value = [registration]
        dispatcher.dispatch(.add(1))
        #expect(errors.values.first?.contains("WaitForTests.swift:") == true)
        #expect(errors.values.count == 1)
    }

    @Test("A registration that ended, that is newer than the action, or of another dispatcher is skipped")
    func skipped() {
        let others = Box<[Subscription]>()
        let other = Dispatcher<CounterAction>()
        let elsewhere = other.register { _ in Issue.record("Another dispatcher has no action") }
        let first = register("first", waitFor: others)
        let ended = register("ended")
        ended.cancel()
        let starter = dispatcher.register { action in
            if action == .add(1) { others.value = [ended, elsewhere, register("newer")] }
        }
        let last = register("last", waitFor: others)
        dispatcher.dispatch(.add(1))
        #expect(order.values == ["first add(1)", "last add(1)"])
        #expect(errors.values.isEmpty)
        withExtendedLifetime((first, starter, last)) {}
    }

    @Test("A call outside of a registered closure, or on another thread, is an error")
    func outside() {
        let registration = register("a")
        #expect(throws: WaitError.notReceiving) { try dispatcher.waitFor(registration) }
        let caught = Seen<String>()
        let other = dispatcher.register { [dispatcher] _ in
            onThreads([{ do { try dispatcher.waitFor(registration) } catch { caught("\(error)") } }])
        }
        dispatcher.dispatch(.add(1))
        #expect(caught.values == [WaitError.notReceiving.description])
        other.cancel()
    }

    @Test("An action that is dispatched while another one is waited for runs next")
    func nested() {
        let others = Box<[Subscription]>()
        let first = register("first", waitFor: others)
        let second = dispatcher.register { [dispatcher, order] action in
            if action == .add(1) { dispatcher.dispatch(.add(2)) }
            order("second \(action)")
        }
        others.value = [second]
        dispatcher.dispatch(.add(1))
        #expect(order.values == ["second add(1)", "first add(1)", "second add(2)", "first add(2)"])
        second.cancel()
        withExtendedLifetime(first) {}
    }

    @Test("A long chain of waiting stores ends")
    func long() {
        let boxes = (0..<500).map { _ in Box<[Subscription]>() }
        let registrations = boxes.enumerated().map { register("\($0)", waitFor: $1) }
        for (box, next) in zip(boxes, registrations.dropFirst()) { box.value = [next] }
        dispatcher.dispatch(.add(1))
        #expect(order.values == (0..<500).reversed().map { "\($0) add(1)" })
        for box in boxes { box.value = nil }
    }
}
