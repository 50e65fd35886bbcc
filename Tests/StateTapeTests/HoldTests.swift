#if os(Linux)
    import Dispatch
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTape

    @MainActor @Suite("Pause, lock and replay", .timeLimit(.minutes(1)))
    struct HoldTests {
        private let server: TestServer
        private let tape: Recorder
        private let store: MainStore

        init() async throws {
            server = try TestServer()
            tape = Recorder(.test(url: server.url))
            store = MainStore(tape)
            store.connect()
            await server.wait(forEvents: 1)
        }

        /// Sends an order and waits until the app has it: the answer to a push comes after.
        private func order(_ control: Control) async {
            server.send(.control(control))
            let id = "after \(server.state.pushed.count)"
            _ = await server.push(id, store: "none", .state(1))
        }

        private func actions() -> [String] {
            server.state.events.compactMap { $0["action"]?["type"]?.string }
        }

        @Test("A locked app queues its actions, still applies a state, and runs the queue when unlocked")
        func replayed() async throws {
            store.send(.increment)
            await order(Control(locked: true))
            store.send(.todos(.add(title: "held")))
            #expect(store.state.todos.isEmpty)
            let played = await server.push("s", .state(["todos": [], "count": 40, "filter": "all"]))
            #expect(played != nil)
            #expect(store.state.count == 40)
            // An effect's late response after the push is queued as well.
            store.send(.increment)
            #expect(store.state.count == 40)
            await server.wait { $0.queued == 2 }
            #expect(actions() == ["increment"])
            server.send(.control(Control(locked: false, queue: .replay)))
            await server.wait { $0.events.count == 5 }
            #expect(store.state.count == 41)
            #expect(store.state.todos.map(\.title) == ["held"])
            #expect(actions() == ["increment", "todos/add", "increment"])
        }

        @Test("The server can discard the queued actions, and the tape has their number")
        func discarded() async throws {
            await order(Control(locked: true))
            store.send(.increment)
            store.send(.increment)
            server.send(.control(Control(locked: false, queue: .discard)))
            let note = await server.wait(forEvents: 2).last
            #expect(note?["text"]?.string?.hasPrefix("2 actions of “main”") == true)
            store.send(.increment)
            #expect(store.state.count == 1)
            await server.wait { $0.events.contains { $0.kind == .action } }
        }

        @Test("The lock does not outlive the link")
        func lost() async throws {
            await order(Control(locked: true))
            store.send(.increment)
            server.state.connection?.close(code: 1012, reason: "restart")
            await store.wait { $0.count == 1 }
        }

        @Test("A lock that follows an unlock holds, although the app is still busy with the unlock")
        func lockedAgain() async throws {
            await order(Control(locked: true))
            store.send(.increment)
            server.send(.control(Control(locked: false, queue: .replay)))
            server.send(.control(Control(locked: true)))
            server.send(.push(Push(id: "again", store: "none", content: .state(1))))
            // The main actor isn't left until the recorder has all of it, so that the app unlocks last.
            while !server.state.pushed.contains(where: { $0.id == "again" }) { try Task.checkCancellation() }
            _ = await server.push("s", .state(["todos": [], "count": 7, "filter": "all"]))
            store.send(.increment)
            #expect(!store.track.gate.isOpen && store.state.count == 7)
            server.send(.control(Control(locked: false, queue: .replay)))
            await store.wait { $0.count == 9 }
        }

        @Test("Queued actions that an unlock discards don't run after the next lock")
        func discardedAgain() async throws {
            await order(Control(locked: true))
            store.send(.increment)
            server.send(.control(Control(locked: false, queue: .discard)))
            server.send(.control(Control(locked: true)))
            server.send(.push(Push(id: "again", store: "none", content: .state(1))))
            while !server.state.pushed.contains(where: { $0.id == "again" }) { try Task.checkCancellation() }
            await server.wait { $0.events.contains { $0["text"]?.string?.hasPrefix("1 action of “main”") == true } }
            #expect(!store.track.gate.isOpen)
            store.send(.todos(.add(title: "held")))
            server.send(.control(Control(locked: false, queue: .replay)))
            await store.wait { !$0.todos.isEmpty }
            #expect(store.state.count == 0)
        }

        @Test("An action's object may ask the store when it is freed, whether its queue runs or is discarded")
        func freed() async throws {
            final class Asker {
                let ask: () -> Void
                init(_ ask: @escaping () -> Void) { self.ask = ask }
                deinit { ask() }
            }
            let track = tape.track(reflecting: .actions, initial: 0, Asker.self, name: "asked")
            var (state, asked) = (0, 0)
            func send(_ action: Asker) { track.record(action, &state) { $0 += 1 } }
            track.connect(state: { state }, dispatch: send, play: { state = $0 })
            for queue in [Control.Queue.replay, .discard] {
                await order(Control(locked: true))
                for _ in 0..<3 { send(Asker { asked += track.gate.isOpen ? 1 : 1 }) }
                server.send(.control(Control(locked: false, queue: queue)))
                while !track.gate.isOpen || asked < (queue == .replay ? 3 : 6) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            #expect(state == 3)
        }

        @Test("A reducer with a result returns the held value instead, or runs without one")
        func held() async throws {
            await order(Control(locked: true))
            var state = TestState()
            let answer = store.track.record(.increment, &state, held: "held") {
                reduce(&$0, .increment)
                return "reduced"
            }
            #expect(answer == "held")
            #expect(state.count == 0)
            let reduced = store.track.record(.increment, &state) {
                reduce(&$0, .increment)
                return "reduced"
            }
            #expect(reduced == "reduced")
            #expect(state.count == 1)
        }

        @Test("A paused recording has only pushes; it resumes with the whole state")
        func paused() async throws {
            await order(Control(recording: false))
            store.send(.increment)
            tape.note("not on the tape")
            _ = await server.push("s", .state(["todos": [], "count": 7, "filter": "all"]))
            store.send(.increment)
            _ = await server.push("a", .action(["type": "todos/add", "payload": ["title": "pushed"]]))
            store.send(.increment)
            server.send(.control(Control(recording: true)))
            await server.wait { $0.events.last?["cause"]?["control"]?.string == "recording" }
            store.send(.increment)
            let events = await server.wait { $0.events.count >= 5 }.events
            #expect(events.map(\.kind) == [.`init`, .replace, .action, .replace, .action])
            #expect(events[1...3].allSatisfy { $0["state"] != nil })
            #expect(events[2]["cause"]?["push"]?.string == "a")
            #expect(events[4]["patch"] != nil)
            #expect(try server.states().map { $0["count"]?.int } == [0, 7, 8, 9, 10])
        }

        @Test(
            "Without a state closure, a paused recording resumes with the next action's state",
            arguments: [.every, .sampled(every: .zero), .sampled(every: .seconds(3_600))] as [StateTape.Capture])
        func pausedBlind(_ capture: StateTape.Capture) async throws {
            let track = tape.track(TestState(), TestAction.self, name: "blind", capture: capture)
            var state = track.start
            await order(Control(recording: false))
            track.record(.increment, &state) { reduce(&$0, .increment) }
            await order(Control(recording: true))
            track.record(.increment, &state) { reduce(&$0, .increment) }
            // The other store is asked for its state in the meantime.
            let isOwn = { @Sendable (event: EventLine) in event.store == "blind" && event.kind == .action }
            let events = await server.wait { $0.events.contains(where: isOwn) }.events
            #expect(events.last(where: isOwn)?["state"]?["count"]?.int == 2)
        }
    }

    @MainActor @Suite("Recorded actions through new reducers", .timeLimit(.minutes(1)))
    struct ReplayTests {
        private let start = Welcome.Start(
            id: "r", mode: .replay, states: ["main": ["todos": [], "count": 10, "filter": "all"]])

        private func replay(_ of: Int, _ action: JSON) -> ServerLine {
            .replay(Replay(id: "r", of: of, action: action))
        }

        @Test("They run in order and name their originals, the app's own are queued, and the answer is last")
        func replayed() async throws {
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let store = MainStore(tape)
            #expect(store.state.count == 10)
            for of in 5..<8 { server.send(replay(of, ["type": "increment"])) }
            server.send(replay(8, ["type": "todos/add", "payload": ["title": "replayed"]]))
            server.send(.replay(Replay(id: "r")))
            await server.wait(forEvents: 1)
            // The app dispatches the same action while nothing can be replayed: it is queued, and discarded at the end.
            store.send(.increment)
            #expect(store.state.count == 10)
            store.connect()
            let state = await server.wait { !$0.pushed.isEmpty }
            let actions = state.events.filter { $0.kind == .action }
            #expect(actions.map { $0["cause"]?["of"]?.int } == [5, 6, 7, 8])
            #expect(actions.allSatisfy { $0["cause"]?["push"]?.string == "r" })
            #expect(state.events[0]["cause"]?["push"]?.string == "r")
            #expect(state.pushed == [Pushed(id: "r", result: .played(seq: 4))])
            #expect(store.state.count == 13)
            #expect(store.state.todos.map(\.title) == ["replayed"])
            // Unlocked: the note counts the discarded actions, and the app works again.
            await server.wait { $0.events.last?.kind == .note }
            store.send(.increment)
            #expect(store.state.count == 14)
        }

        @Test("An action that can't be decoded ends the replay, with its event's number")
        func unreadable() async throws {
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let store = MainStore(tape)
            store.connect()
            server.send(replay(5, ["type": "increment"]))
            server.send(replay(6, ["type": "gone"]))
            server.send(replay(7, ["type": "increment"]))
            server.send(.replay(Replay(id: "r")))
            let pushed = await server.wait { !$0.pushed.isEmpty }.pushed
            guard case .failed(let failure)? = pushed.first?.result else {
                Issue.record("the replay was answered with \(pushed)")
                return
            }
            #expect(failure.code == .decode)
            #expect(failure.message.contains("event 6"))
            await store.wait { $0.count == 11 }
            // The answer is sent before the store is unlocked.
            while !store.track.gate.isOpen {
                try Task.checkCancellation()
                await Task.yield()
            }
            store.send(.increment)
            #expect(store.state.count == 12)
        }

        @Test("A failure is answered after the replayed actions before it, even if the store reduces elsewhere")
        func failedLast() async throws {
            let server = try TestServer(TestServer.Manners(start: start))
            let queue = DispatchQueue(label: "store")
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let session = try #require(tape.session)
            session.queue.sync { session.reduceLimit = .seconds(60) }
            let track = tape.track(TestState(), TestAction.self)
            let state = Locked(track.start)
            track.connect(dispatch: { action in
                queue.async {
                    state.withLock { state in track.record(action, &state) { reduce(&$0, action) } }
                }
            })
            for of in 1...4 { server.send(replay(of, ["type": "increment"])) }
            server.send(replay(5, ["type": "gone"]))
            let pushed = try #require(await server.wait { !$0.pushed.isEmpty }.pushed.first)
            // The initial state, the four actions, and the note on the failure.
            #expect(pushed.next == 6)
            #expect(server.state.order == ["hello", "0", "1", "2", "3", "4", "5", "pushed r"])
        }

        @Test("Effects of replayed actions are suppressed")
        func effects() async throws {
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            var started: [Int] = []
            func send(_ action: TestAction) {
                track.gate.run {
                    track.record(action, &state) { reduce(&$0, action) }
                } effects: {
                    started.append(state.count)
                }
            }
            track.connect(dispatch: { send($0) })
            server.send(replay(5, ["type": "increment"]))
            server.send(.replay(Replay(id: "r")))
            await server.wait { !$0.pushed.isEmpty }
            // The app is unlocked once another push is answered.
            _ = await server.push("a", .action(["type": "increment"]))
            #expect(state.count == 12)
            #expect(started == [12])
        }
    }
#endif
