import StateTapeStore
import Testing

@Suite("Effects with ids", .timeLimit(.minutes(1)))
struct EffectCancelTests {
    private let scene = Scene()

    /// Renames after a second.
    private func rename(_ name: String, id: String?) -> Effect<CounterAction> {
        let scene = scene
        let work: Effect<CounterAction>.Work = { dispatch in
            scene.story("begin \(name)")
            try? await scene.clock.sleep(for: .seconds(1))
            scene.story(Task.isCancelled ? "cancel \(name)" : "end \(name)")
            await dispatch(.rename(name))
        }
        return id.map { Effect(id: $0, work) } ?? Effect(work)
    }

    private func store(
        _ effects: @escaping (CounterAction) -> Effect<CounterAction>?
    ) -> Store<Counter, CounterAction> {
        Store(initial: Counter(), reducer: count, effects: { action, _ in effects(action) }, isolation: nil)
    }

    @Test("A new effect replaces the running one with the same id, whose actions are ignored")
    func replaced() async {
        let store = store { if case .add(let number) = $0 { rename("\(number)", id: "name") } else { nil } }
        let names = Seen<String>()
        let subscription = store.subscribe(\.name) { names($0) }
        store.dispatch(.add(1))
        await scene.clock.sleeping(1)
        store.dispatch(.add(2))
        await scene.story.told("cancel 1")
        await scene.story.told("begin 2")
        await scene.clock.sleeping(1)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.name == "2" }
        #expect(names.values == ["", "2"])
        withExtendedLifetime(subscription) {}
    }

    @Test("An effect is cancelled by its id, and effects with other ids or none go on")
    func cancelled() async {
        let store = store {
            switch $0 {
            case .add(1): .merge([rename("a", id: "a"), rename("b", id: "b"), rename("c", id: nil)])
            case .add: .cancel("a")
            case .rename: nil
            }
        }
        store.dispatch(.add(1))
        await scene.clock.sleeping(3)
        store.dispatch(.add(2))
        await scene.story.told("cancel a")
        scene.clock.advance(by: .seconds(1))
        await scene.story.told("end b")
        await scene.story.told("end c")
        #expect(scene.story.lines.filter { !$0.hasPrefix("begin") }.first == "cancel a")
        // An id that is free again, or was never used.
        store.dispatch(.add(2))
    }

    @Test("The release of the store cancels all its effects")
    func release() async {
        do {
            let store = store { _ in .merge([rename("a", id: "a"), rename("b", id: nil)]) }
            store.dispatch(.add(1))
            await scene.clock.sleeping(2)
        }
        await scene.clock.sleeping(0)
        await scene.story.told("cancel a")
        await scene.story.told("cancel b")
    }

    @Test("Effects that replace each other on many threads leave one")
    func threads() async {
        for _ in 0..<200 {
            let store = store { if case .add(let number) = $0 { rename("\(number)", id: "name") } else { nil } }
            onThreads((1...4).map { thread in { for _ in 0..<5 { store.dispatch(.add(thread)) } } })
            await scene.clock.sleeping(1)
            scene.clock.advance(by: .seconds(1))
            await state(of: store) { !$0.name.isEmpty }
        }
    }
}
