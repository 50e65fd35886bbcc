import StateTapeStore
import Testing

@Suite("Rules of self-reducing actions", .timeLimit(.minutes(1)))
struct RuleTests {
    private let scene = Scene()

    private func store(_ rules: any Rule<Counter>...) -> ActionStore<Counter> {
        ActionStore(initial: Counter(), rules: rules, isolation: nil)
    }

    private func dispatch(_ names: String..., to store: ActionStore<Counter>) {
        for name in names { Download(name, in: scene).dispatch(to: store) }
    }

    private func pass(_ seconds: Int, sleeping: Int) async {
        await scene.clock.sleeping(sleeping)
        scene.clock.advance(by: .seconds(seconds))
    }

    @Test("The first of two equal actions is cancelled, and its result is not reduced")
    func first() async {
        let store = store(UniqueRule(Download.self, cancelBehavior: .first))
        dispatch("a", to: store)
        await scene.clock.sleeping(1)
        dispatch("b", to: store)
        await scene.story.told("cancel a")
        await scene.story.told("begin b")
        await pass(1, sleeping: 1)
        await state(of: store) { $0.name == "<a<b>b" }
        #expect(scene.story.lines.filter { $0.hasPrefix("end") } == ["end b"])
    }

    @Test("The last of two equal actions is dropped: it is reduced, but not executed")
    func last() async {
        let store = store(UniqueRule(Download.self, cancelBehavior: .last))
        dispatch("a", "b", to: store)
        await pass(1, sleeping: 1)
        await state(of: store) { $0.name == "<a<b>a" }
        #expect(scene.story.lines == ["begin a", "end a"])
    }

    @Test("A subscriber that receives a result may dispatch an equal action at once")
    func again() async {
        let store = store(UniqueRule(Download.self, cancelBehavior: .last))
        let scene = scene
        let subscription = store.subscribe { if $0.name == "<a>a" { Download("b", in: scene).dispatch(to: store) } }
        dispatch("a", to: store)
        await pass(1, sleeping: 1)
        await scene.story.told("begin b")
        withExtendedLifetime(subscription) {}
    }

    @Test("A condition limits a rule to some actions")
    func condition() async {
        let store = store(UniqueRule(Download.self, cancelBehavior: .last) { $0.name == $1.name })
        dispatch("a", "b", "a", to: store)
        await pass(1, sleeping: 2)
        await state(of: store) { $0.count == 2 }
        #expect(Set(scene.story.lines) == ["begin a", "begin b", "end a", "end b"])
        #expect(scene.story.lines.count == 4)
    }

    @Test("Actions in sequence run one after the other, each after the result of the one before was reduced")
    func sequence() async {
        let store = store(SequenceRule(Download.self, Download.self))
        dispatch("a", "b", "c", to: store)
        for _ in 0..<3 { await pass(1, sleeping: 1) }
        await state(of: store) { $0.name == "<a<b<c>a>b>c" }
        #expect(scene.story.lines == ["begin a", "end a", "begin b", "end b", "begin c", "end c"])
    }

    @Test("Thousands of actions in sequence are executed in order, and each key is compared a few times")
    func steps() async {
        let comparisons = Seen<Int>()
        let store = store(SequenceRule(Numbered.self, by: \.key))
        let count = 4_000
        for number in 0..<count {
            Numbered(number: number, key: CountedKey(name: number % 2, comparisons), scene: scene).dispatch(to: store)
        }
        scene.story("all wait")
        await state(of: store) { $0.added.count == count }
        for parity in 0..<2 {
            #expect(store.state.added.filter { $0 % 2 == parity } == Array(stride(from: parity, to: count, by: 2)))
        }
        #expect(comparisons.values.count < 30 * count)
    }

    @Test("Actions with different keys don't wait for each other")
    func keys() async {
        let store = store(SequenceRule(Download.self, by: \.name))
        dispatch("a", "b", "a", to: store)
        await scene.clock.sleeping(2)
        #expect(Set(scene.story.lines) == ["begin a", "begin b"])
        await pass(1, sleeping: 2)
        await pass(1, sleeping: 1)
        await state(of: store) { $0.count == 3 }
    }

    @Test("An action waits for an earlier one that is cancelled meanwhile, until that has ended")
    func stubborn() async {
        let store = store(
            SequenceRule(Download.self, Download.self),
            UniqueRule(Download.self, cancelBehavior: .first) { ($0.name, $1.name) == ("a", "x") })
        var stubborn = Download("a", in: scene)
        stubborn.isStubborn = true
        stubborn.dispatch(to: store)
        await scene.clock.sleeping(1)
        dispatch("b", "x", to: store)
        await scene.story.told("cancel a")
        // “b” waits for “a”, and “x” for “b”.
        #expect(scene.story.lines == ["begin a", "cancel a"])
        scene.story("let go")
        for name in ["b", "x"] {
            await scene.story.told("begin \(name)")
            await pass(1, sleeping: 1)
        }
        await state(of: store) { $0.name == "<a<b<x>b>x" }
        #expect(scene.story.lines.dropFirst(3) == ["begin b", "end b", "begin x", "end x"])
    }

    @Test("An action that waits is released when the one it waits for fails or is cancelled")
    func released() async {
        let store = store(
            UniqueRule(Download.self, cancelBehavior: .first) { $0.name == $1.name },
            SequenceRule(Download.self, Download.self) { $1.name == "last" && $0.name != "last" })
        dispatch("a", to: store)
        Download("b", fails: true, in: scene).dispatch(to: store)
        dispatch("last", to: store)
        await scene.clock.sleeping(2)
        // Cancels the first “a”; “last” was dispatched before the second one, and doesn't wait for it.
        Download("a", seconds: 9, in: scene).dispatch(to: store)
        await scene.story.told("cancel a")
        await pass(1, sleeping: 2)
        await scene.story.told("begin last")
        await pass(1, sleeping: 2)
        await state(of: store) { $0.name.hasSuffix(">last") }
    }

    @Test("An action that is cancelled while it waits releases those that wait for it")
    func cancelledWaiting() async {
        let store = store(
            SequenceRule(Download.self, Download.self) {
                ($0.name, $1.name) == ("a", "b") || ($0.name, $1.name) == ("b", "c")
            },
            UniqueRule(Download.self, cancelBehavior: .first) { ($0.name, $1.name) == ("b", "x") })
        dispatch("a", "b", "c", to: store)
        await scene.clock.sleeping(1)
        #expect(scene.story.lines == ["begin a"])
        dispatch("x", to: store)
        await scene.story.told("begin c")
        await pass(1, sleeping: 3)
        await state(of: store) { $0.count == 3 }
        #expect(!scene.story.lines.contains("begin b"))
    }

    @Test("An own rule sees the action and those that are executed")
    func own() async {
        struct TwoAtATime: Rule {
            func decide(
                _ action: any SelfExecuting<Counter>, executing: [Execution<Counter>]
            ) -> RuleDecision<Counter> {
                executing.count < 2 ? .run : .wait(for: executing.dropLast())
            }
        }
        let store = store(TwoAtATime())
        dispatch("a", "b", "c", to: store)
        await scene.clock.sleeping(2)
        #expect(Set(scene.story.lines) == ["begin a", "begin b"])
        await pass(1, sleeping: 2)
        await scene.story.told("begin c")
    }

    @Test("If several rules decide, a drop prevails and cancels nothing; a cancelled action is not waited for")
    func several() async {
        let store = store(
            UniqueRule(Download.self, cancelBehavior: .first) { _, later in later.name != "free" },
            UniqueRule(Download.self, cancelBehavior: .last) { _, later in later.name == "drop" },
            SequenceRule(Download.self, Download.self))
        var stubborn = Download("a", in: scene)
        stubborn.isStubborn = true
        stubborn.dispatch(to: store)
        dispatch("drop", to: store)
        await scene.clock.sleeping(1)
        dispatch("b", to: store)
        await scene.story.told("begin b")
        await scene.story.told("cancel a")
        scene.story("let go")
        #expect(scene.story.lines.allSatisfy { !$0.contains("drop") })
    }

    @Test("An action whose turn comes during a lock is dispatched again, so that it is queued and starts later")
    func turnDuringLock() async {
        let isHeld = Box<Bool>()
        let queue = Seen<any SelfReducing<Counter>>()
        let store = ActionStore<Counter>(
            initial: Counter(), rules: [SequenceRule(Download.self, Download.self)],
            middleware: [
                { next in
                    { action, state in
                        if isHeld.value == true { queue(action) } else { next(action, &state) }
                    }
                }
            ], isolation: nil
        ).gated { isHeld.value ?? false }
        let scene = scene
        dispatch("a", "b", to: store)
        await scene.clock.sleeping(1)
        isHeld.value = true
        scene.clock.advance(by: .seconds(1))
        await until { queue.values.count == 2 }
        #expect(queue.values.map { "\(type(of: $0))" } == ["Finished<Download>", "Download"])
        #expect(store.state.name == "<a<b")
        isHeld.value = false
        for action in queue.values { store.dispatch(action) }
        await scene.story.told("begin b")
        #expect(store.state.name == "<a<b>a<b")
    }

    @Test("Actions from many threads never overlap in a sequence, and the last unique one has a result")
    func threads() async {
        for _ in 0..<200 {
            let running = Running()
            let store = store(
                SequenceRule(Turn.self, Turn.self), UniqueRule(Poll.self, cancelBehavior: .first))
            onThreads(
                (0..<4).map { thread in
                    {
                        for number in 0..<8 {
                            Turn(running: running).dispatch(to: store)
                            Poll(number: thread * 8 + number).dispatch(to: store)
                        }
                    }
                })
            await state(of: store) { $0.count == 32 && !$0.added.isEmpty }
            #expect(running.most == 1)
        }
    }
}

private struct Numbered: SelfExecuting {
    let number: Int
    let key: CountedKey
    let scene: Scene

    func execute() async -> Int {
        if number < 2 { await scene.story.told("all wait") }
        return number
    }

    func reduce(_ state: inout Counter, _ output: Int) { state.added.append(output) }
}

/// A key that counts how often it is compared and hashed.
private struct CountedKey: Hashable, Sendable {
    let name: Int
    private let steps: Seen<Int>

    init(name: Int, _ steps: Seen<Int>) { (self.name, self.steps) = (name, steps) }

    static func == (left: Self, right: Self) -> Bool {
        left.steps(1)
        return left.name == right.name
    }

    func hash(into hasher: inout Hasher) {
        steps(1)
        hasher.combine(name)
    }
}

private struct Turn: SelfExecuting {
    let running: Running

    func execute() async {
        running.enter()
        await Task.yield()
        running.leave()
    }

    func reduce(_ state: inout Counter, _ output: Void) { state.count += 1 }
}

private struct Poll: SelfExecuting {
    let number: Int

    func execute() async -> Int {
        await Task.yield()
        return number
    }

    func reduce(_ state: inout Counter, _ output: Int) { state.added.append(output) }
}

/// Counts how many run at a time.
private final class Running: Sendable {
    private let store = Store<Counter, Int>(
        initial: Counter(),
        reducer: { state, step in
            state.count += step
            state.added = [max(state.added.first ?? 0, state.count)]
        }, isolation: nil)

    var most: Int { store.state.added.first ?? 0 }

    func enter() { store.dispatch(1) }
    func leave() { store.dispatch(-1) }
}
