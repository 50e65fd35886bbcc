import StateTapeStore
import Testing

@Suite("Steps between routes")
struct RouteStepTests {
    @Test(
        "The steps keep the shared screens at the bottom",
        arguments: [
            ("", "", []), ("", "ab", [.push("a"), .push("b")]), ("ab", "", [.pop(2)]), ("ab", "abc", [.push("c")]),
            ("abc", "a", [.pop(2)]), ("ab", "ac", [.replace("c")]),
            ("abcd", "axy", [.pop(2), .replace("x"), .push("y")]),
            ("a", "b", [.replace("b")]), ("aa", "aaa", [.push("a")]),
        ] as [(String, String, [RouteStep<Character>])])
    func steps(old: String, new: String, steps: [RouteStep<Character>]) {
        #expect(RouteStep.steps(from: Array(old), to: Array(new)) == steps)
    }

    @Test("The steps lead from each route to each other one")
    func all() {
        let routes = ["", "a", "b", "ab", "ba", "abc", "bbb", "abca"].map(Array.init)
        for old in routes {
            for new in routes {
                var stack = old
                for step in RouteStep.steps(from: old, to: new) { stack.perform(step) }
                #expect(stack == new)
            }
        }
    }
}

@MainActor @Suite("Router", .timeLimit(.minutes(1)))
struct RouterTests {
    /// The name is the route, with a screen for each character.
    private let store = Store(initial: Counter(name: "ab"), reducer: count)

    private func route(_ state: Counter) -> [Character] { Array(state.name) }

    @Test("The stack shows the first route, and then each new one")
    func follow() {
        var (stack, steps): ([Character], Int) = ([], 0)
        let router = Router(store, route) {
            stack.perform($0)
            steps += 1
        }
        #expect(stack == ["a", "b"])
        store.dispatch(.add(1))
        #expect(steps == 2)
        store.dispatch(.rename("abc"))
        #expect(steps == 3)
        store.replace(Counter(name: "x"))
        #expect(stack == ["x"])
        #expect(router.shown == stack)
    }

    @Test("Screens that are shown already are kept, and a navigation of the user causes no step")
    func user() {
        var steps: [RouteStep<Character>] = []
        let router = Router(store, route, shown: ["a"]) { steps.append($0) }
        #expect(steps == [.push("b")])
        router.didShow(["a"])
        store.dispatch(.rename("a"))
        #expect(steps == [.push("b")])
    }

    @Test("If the store keeps its route, its next state shows that route again")
    func refused() {
        var steps: [RouteStep<Character>] = []
        let router = Router(store, route, shown: ["a", "b"]) { steps.append($0) }
        router.didShow(["a"])
        store.dispatch(.add(1))
        #expect(steps == [.push("b")])
    }

    @Test("A step that dispatches, or reports what it shows, leaves the stack at the newest route")
    func reentrant() {
        var stack: [Character] = []
        let box = Box<Router<Character>>()
        let store = store
        let router = Router(store, route) {
            stack.perform($0)
            box.value?.didShow(["?"])
            if $0 == .push("c") { store.dispatch(.rename("xy")) }
        }
        box.value = router
        store.dispatch(.rename("abcd"))
        #expect(stack == ["x", "y"])
        #expect(router.shown == stack)
        box.value = nil
    }

    @Test(
        "A step that dispatches outside of the store's dispatch is followed by the steps to the newest route only",
        arguments: [
            (["xy"], [.pop(2), .replace("x"), .push("y")]), (["xy", "abcd"], [.push("d")]),
        ] as [([String], [RouteStep<Character>])])
    func interrupted(routes: [String], after: [RouteStep<Character>]) async {
        var seen: [RouteStep<Character>] = []
        let (steps, note) = AsyncStream.makeStream(of: RouteStep<Character>.self)
        let store = store
        let router = Router(store, route, shown: ["a", "b"]) { step in
            seen.append(step)
            note.yield(step)
            if step == .push("c") { for route in routes { store.dispatch(.rename(route)) } }
        }
        // Blocks the main actor until the other thread's dispatch has ended.
        onThreads([{ store.dispatch(.rename("abcd")) }])
        for await step in steps where step == after.last { break }
        #expect(seen == [.push("c")] + after)
        #expect(router.shown == Array(routes.last ?? ""))
    }

    @Test("A released router stops, and doesn't retain the store")
    func release() {
        var steps = 0
        var store: Store<Counter, CounterAction>? = Store(initial: Counter(name: "a"), reducer: count)
        weak let gone = store
        var router = store.map { Router($0, route) { _ in steps += 1 } }
        router = nil
        store?.dispatch(.rename("b"))
        #expect(steps == 1)
        router = store.map { Router($0, route) { _ in } }
        store = nil
        #expect(gone == nil)
        #expect(router?.shown == ["b"])
    }
}

extension [Character] {
    fileprivate mutating func perform(_ step: RouteStep<Character>) {
        switch step {
        case .pop(let count): removeLast(count)
        case .push(let screen): append(screen)
        case .replace(let screen): self[count - 1] = screen
        }
    }
}
