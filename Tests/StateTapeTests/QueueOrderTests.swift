#if os(Linux)
    import Dispatch
    import Foundation
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTape

    @Suite("The order after a lock, in a store that reduces after dispatch has returned", .timeLimit(.minutes(3)))
    struct QueueOrderTests {
        private let server: TestServer
        private let tape: Recorder
        private let store: LaterStore

        init() async throws {
            server = try TestServer()
            tape = Recorder(.test(url: server.url))
            store = LaterStore(tape)
            await server.wait(forEvents: 1)
        }

        /// Sends an order and waits until the app has it: the answer to a push comes after.
        private func order(_ control: Control) async {
            server.send(.control(control))
            _ = await server.push("after \(server.state.pushed.count)", store: "none", .state(1))
        }

        private func unlock() { server.send(.control(Control(locked: false, queue: .replay))) }

        /// On a busy machine, a store's queue may rest for longer than the limit of an app, which then goes on without it.
        private func haveTime() throws {
            try #require(tape.session).queue.sync { tape.session?.reduceLimit = .seconds(60) }
        }

        private func titles(_ count: Int) async -> [String] {
            await server.wait { $0.events.count { $0.kind == .action } >= count }.events
                .compactMap { $0["action"]?["payload"]?["title"]?.string }
        }

        private func warnings() -> [String] {
            server.state.events.filter { $0["level"]?.string == "warning" }.compactMap { $0["text"]?.string }
        }

        @Test("Actions that were on their way when the lock ended come after the queued ones")
        func overtaking() async throws {
            try haveTime()
            await order(Control(locked: true))
            for number in 0..<50 { store.send("queued \(number)") }
            await server.wait { $0.queued == 50 }
            store.queue.suspend()
            for number in 0..<50 { store.send("new \(number)") }
            unlock()
            await store.dispatches(1)
            store.queue.resume()
            let sent = (0..<50).map { "queued \($0)" } + (0..<50).map { "new \($0)" }
            #expect(await titles(100) == sent)
            #expect(store.titles == sent && warnings() == [])
        }

        @Test("So it is where each dispatch is a task")
        func tasks() async throws {
            try haveTime()
            store.enqueue = { store, title in Task { store.reduceLater(title) } }
            await order(Control(locked: true))
            for number in 0..<200 { store.reduceLater("\(number)") }
            await server.wait { $0.queued == 200 }
            unlock()
            #expect(await titles(200) == (0..<200).map(String.init))
        }

        @Test("At the limit of queued actions, too")
        func limit() async throws {
            try haveTime()
            await order(Control(locked: true))
            let sent = (0..<2 * HeldActions.limit + 500).map(String.init)
            for title in sent { store.send(title) }
            #expect(await titles(sent.count) == sent)
            #expect(warnings().count == 1 && warnings().first?.contains("1000 actions wait") == true)
        }

        @Test("An action that is dispatched when the next lock begins is still the first at its end")
        func lockedAgain() async throws {
            try haveTime()
            await order(Control(locked: true))
            for number in 0..<3 { store.send("\(number)") }
            await server.wait { $0.queued == 3 }
            store.queue.suspend()
            unlock()
            await store.dispatches(1)
            await order(Control(locked: true))
            store.send("3")
            store.queue.resume()
            await server.wait { $0.queued == 4 }
            #expect(store.titles == [])
            unlock()
            #expect(await titles(4) == ["0", "1", "2", "3"])
        }

        @Test("What is pushed after the unlock comes after the queue")
        func pushed() async throws {
            try haveTime()
            await order(Control(locked: true))
            for number in 0..<20 { store.send("\(number)") }
            await server.wait { $0.queued == 20 }
            unlock()
            let state: JSON = ["todos": [["title": "pushed", "done": false]], "count": 0, "filter": ""]
            _ = await server.push("state", .state(state))
            #expect(await titles(20).count == 20)
            let kinds = server.state.events.map(\.kind)
            #expect(try server.states().last == state, "\(kinds)")
            #expect(store.titles == ["pushed"], "\(kinds)")
        }

        @Test("An action that a busy store reduces late is not lost under the state that is put back")
        func busy() async throws {
            store.send("before")
            _ = await titles(1)
            await order(Control(locked: true))
            server.send(
                .push(
                    Push(
                        id: "look", store: "main", expires: 60_000, travel: 0,
                        content: .state(["todos": [], "count": 0, "filter": ""]))))
            await server.wait { $0.pushed.contains { $0.id == "look" } }
            store.queue.suspend()
            store.send("late")
            unlock()
            // A quarter of the time that a store has.
            let session = try #require(tape.session)
            await withCheckedContinuation { passed in session.after(session.reduceLimit / 4) { _ in passed.resume() } }
            store.queue.resume()
            #expect(await titles(2) == ["before", "late"])
            #expect(store.titles == ["before", "late"])
        }

        @Test("Actions that a middleware stops cost the order of the others, which a note says once")
        func stopped() async throws {
            try #require(tape.session).queue.sync { tape.session?.reduceLimit = .seconds(1) }
            for round in 0..<2 {
                await order(Control(locked: true))
                // Other counts in each round: the last one's is still there.
                let count = 5 + round
                for number in 0..<count { store.send("\(round) \(number)") }
                await server.wait { $0.queued == count }
                store.stops = "\(round) 1"
                unlock()
                let found = await titles(4 + 5 * round)
                #expect(found.suffix(count - 1) == (0..<count).filter { $0 != 1 }.map { "\(round) \($0)" })
                #expect(store.track.gate.isOpen)
            }
            #expect(warnings().count == 1 && warnings().first?.contains("todos/add") == true)
        }

        @Test("A middleware that changes each action that it passes on ends the lock as well")
        func changed() async throws {
            try #require(tape.session).queue.sync { tape.session?.reduceLimit = .milliseconds(100) }
            store.changes = true
            await order(Control(locked: true))
            for number in 0..<5 { store.send("\(number)") }
            await server.wait { $0.queued == 5 }
            unlock()
            _ = await titles(5)
            await store.has(5)
            #expect(store.track.gate.isOpen)
        }

        @Test("A closure that does not return keeps the app locked for a short time only")
        func stuck() async throws {
            try #require(tape.session).queue.sync { tape.session?.unlockLimit = .milliseconds(100) }
            await order(Control(locked: true))
            store.send("queued")
            await server.wait { $0.queued == 1 }
            let isFree = DispatchSemaphore(value: 0)
            store.beforePlay = { isFree.wait() }
            server.send(
                .push(
                    Push(
                        id: "p", store: "main", expires: 60_000,
                        content: .state(["todos": [], "count": 0, "filter": ""]))))
            await store.plays()
            unlock()
            while !store.track.gate.isOpen { await Task.yield() }
            store.send("new")
            #expect(await titles(1) == ["new"])
            isFree.signal()
            #expect(await titles(2) == ["new", "queued"])
            #expect(warnings().count { $0.contains("may run after newer ones") } == 1)
        }
    }

    /// A store that reduces on a queue of its own.
    // Unchecked: the state is used on the queue, the rest is set before it is used elsewhere.
    private final class LaterStore: @unchecked Sendable {
        let queue = DispatchQueue(label: "later")
        let track: Track<TestState, TestAction>
        private var state: TestState
        private let dispatched = Locked(0)
        private let isPlaying = Locked(false)
        var enqueue: ((LaterStore, String) -> Void)?
        /// The title that a middleware stops.
        var stops: String?
        /// Whether a middleware changes each title.
        var changes = false
        var beforePlay: (() -> Void)?

        init(_ tape: Recorder) {
            track = tape.track(TestState(), TestAction.self)
            state = track.start
            track.connect(
                dispatch: { [weak self] action in
                    guard let self, case .todos(.add(let title)) = action else { return }
                    if title == stops {
                        stops = nil
                    } else if let enqueue {
                        enqueue(self, title)
                    } else {
                        reduceLater(title)
                    }
                    dispatched.withLock { $0 += 1 }
                },
                play: { [weak self] played in
                    self?.isPlaying.withLock { $0 = true }
                    self?.beforePlay?()
                    self?.replaceLater(played)
                }, isolation: nil)
        }

        func send(_ title: String) { reduceLater(title) }

        private func replaceLater(_ played: TestState) {
            queue.async { [self] in state = played }
        }

        func reduceLater(_ title: String) {
            let title = changes ? title + "'" : title
            queue.async { [self] in
                track.record(.todos(.add(title: title)), &state) { reduce(&$0, .todos(.add(title: title))) }
            }
        }

        var titles: [String] { queue.sync { state.todos.map(\.title) } }

        func has(_ count: Int) async {
            while titles.count < count, !Task.isCancelled { await Task.yield() }
        }

        /// Waits until the recorder has dispatched as many actions.
        func dispatches(_ count: Int) async {
            while dispatched.withLock({ $0 }) < count, !Task.isCancelled { await Task.yield() }
        }

        /// Waits until a state is being applied.
        func plays() async {
            while !isPlaying.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        }
    }
#endif
