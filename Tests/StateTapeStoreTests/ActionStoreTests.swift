import Foundation
import StateTapeStore
import Testing

@Suite("Self-reducing actions", .timeLimit(.minutes(1)))
struct ActionStoreTests {
    private let scene = Scene()

    @Test("An action is reduced at its dispatch, and its result when the work has ended")
    func result() async {
        let store = ActionStore(initial: Counter())
        Download("abc", in: scene).dispatch(to: store)
        #expect(store.state.name == "<abc")
        await scene.clock.sleeping(1)
        #expect(store.state.count == 0)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.count == 3 }
        #expect(store.state.name == "<abc>abc")
    }

    @Test("A store takes actions of several types, values and classes, with work and without")
    func types() async {
        let store = ActionStore(initial: Counter())
        Rename("x").dispatch(to: store)
        Download("a", in: scene).dispatch(to: store)
        #expect(store.state.name == "x<a")
        await scene.clock.sleeping(1)
        Rename("y").dispatch(to: store)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.name == "y>a" }
    }

    @Test("An error of the work is reduced as its description")
    func failure() async {
        let store = ActionStore(initial: Counter())
        Download("a", fails: true, in: scene).dispatch(to: store)
        await scene.clock.sleeping(1)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.name == "<a!Broken()" }
    }

    @Test("The middleware of the store sees the action and its result, and may stop both")
    func middleware() async {
        let seen = Seen<String>()
        let store = ActionStore<Counter>(
            initial: Counter(),
            middleware: [
                { next in
                    { action, state in
                        seen("\(type(of: action))")
                        if (action as? Rename)?.name != "stop" { next(action, &state) }
                    }
                }
            ])
        Rename("stop").dispatch(to: store)
        Download("a", in: scene).dispatch(to: store)
        await scene.clock.sleeping(1)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.name == "<a>a" }
        #expect(seen.values == ["Rename", "Download", "Finished<Download>"])
    }

    @Test("The release of a store cancels its actions, and delivers nothing more")
    func release() async {
        let seen = Seen<String>()
        weak var gone: ActionStore<Counter>?
        do {
            let store = ActionStore(initial: Counter())
            let subscription = store.subscribe { seen($0.name) }
            Download("a", in: scene).dispatch(to: store)
            await scene.clock.sleeping(1)
            gone = store
            withExtendedLifetime(subscription) {}
        }
        await scene.story.told("cancel a")
        #expect(gone == nil)
        #expect(seen.values == ["", "<a"])
    }

    @Test("An action that waits is cancelled with its store, too, and never begins")
    func releaseWaiting() async {
        do {
            let store = ActionStore(initial: Counter(), rules: [SequenceRule(Download.self, Download.self)])
            for name in ["a", "b", "c"] { Download(name, in: scene).dispatch(to: store) }
            await scene.clock.sleeping(1)
        }
        await scene.story.told("cancel a")
        await scene.clock.sleeping(0)
        #expect(scene.story.lines == ["begin a", "cancel a"])
    }

    @MainActor @Test("Work runs on no actor; states are delivered on the actor where the store was made")
    func isolation() async {
        struct Work: SelfExecuting {
            func execute() async -> Bool { isOnMain() }
            func reduce(_ state: inout Counter, _ output: Bool) {
                MainActor.preconditionIsolated()
                state.name = output ? "on main" : "elsewhere"
            }
        }
        let store = ActionStore(initial: Counter())
        let subscription = store.subscribe { _ in MainActor.preconditionIsolated() }
        // From the actor, and from elsewhere.
        Work().dispatch(to: store)
        await state(of: store) { $0.name == "elsewhere" }
        onThreads([{ for number in 1...200 { Step(number).dispatch(to: store) } }])
        await state(of: store) { $0.count == 200 }
        #expect(store.state.added == Array(1...200))
        withExtendedLifetime(subscription) {}
    }

    @Test("A replayed action is only reduced; a result that was decoded is reduced without any work")
    func held() async throws {
        struct Fetch: SelfExecuting, Codable, Equatable {
            var name: String
            func execute() async throws -> [Int] { throw CancellationError() }
            func reduce(_ state: inout Counter, _ output: [Int]) { state.added += output }
        }
        let isHeld = Box<Bool>()
        isHeld.value = true
        let store = ActionStore(initial: Counter()).gated { isHeld.value ?? false }
        Download("a", in: scene).dispatch(to: store)
        let text = #"{"action":{"name":"x"},"output":[1,2]}"#
        let decoded = try JSONDecoder().decode(Finished<Fetch>.self, from: Data(text.utf8))
        decoded.dispatch(to: store)
        #expect(store.state == Counter(added: [1, 2], name: "<a"))
        isHeld.value = false
        Download("b", in: scene).dispatch(to: store)
        await scene.clock.sleeping(1)
        #expect(scene.story.lines == ["begin b"])
    }

    @Test("A result is encoded with its action, and so is a failure")
    func coding() throws {
        struct Pick: SelfExecuting, Codable {
            var from: Int
            func execute() async -> Int? { nil }
            func reduce(_ state: inout Counter, _ output: Int?) { state.count = output ?? -1 }
            func reduce(_ state: inout Counter, failure: String) { state.name = failure }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func roundTrip(_ outcome: Finished<Pick>.Outcome) throws -> (String, Counter) {
            let data = try encoder.encode(Finished(Pick(from: 7), outcome))
            var state = Counter()
            try JSONDecoder().decode(Finished<Pick>.self, from: data).reduce(&state)
            return (String(decoding: data, as: UTF8.self), state)
        }
        #expect(try roundTrip(.output(3)) == (#"{"action":{"from":7},"output":3}"#, Counter(count: 3)))
        #expect(try roundTrip(.output(nil)) == (#"{"action":{"from":7},"output":null}"#, Counter(count: -1)))
        #expect(try roundTrip(.failure("no")) == (#"{"action":{"from":7},"failure":"no"}"#, Counter(name: "no")))
    }
}

/// Counts up.
struct Step: SelfReducing {
    var number: Int

    init(_ number: Int) { self.number = number }

    func reduce(_ state: inout Counter) {
        count(&state, .add(number))
        state.count = number
    }
}
