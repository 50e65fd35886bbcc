@testable import TapeUplink

#if os(Linux)
    import Dispatch
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("An app whose subscribers dispatch", .timeLimit(.minutes(1)))
    struct EchoTests {
        private let server: TestServer
        private let tape: Recorder

        init() throws {
            let server = try TestServer()
            self.server = server
            tape = Recorder(.test(url: server.url))
        }

        /// Sends an order and waits until the app has it: the answer to a push comes after.
        private func order(_ control: Control) async {
            server.send(.control(control))
            _ = await server.push("after \(server.state.pushed.count)", store: "none", .state(1))
        }

        private func lifted() -> [EventLine] {
            server.state.events.filter { $0["text"]?.string?.contains("was lifted") == true }
        }

        @Test(
            "A queued action notifies no subscriber, so one that answers with the same action is called once"
        )
        func ownStore() async throws {
            let track = tape.track(TestState(), TestAction.self)
            let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware])
            track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
            var calls = 0
            let subscription = store.subscribe { state in
                calls += 1
                if (5..<10).contains(state.count) { store.dispatch(.increment) }
            }
            await order(Control(locked: true))
            let played = await server.push("p", .state(["todos": [], "count": 5, "filter": ""]))
            guard case .played = played else { throw FormatError("\(String(describing: played))") }
            #expect(store.state.count == 5 && calls == 2)
            server.send(.control(Control(locked: false, queue: .replay)))
            await server.wait { (try? $0.states().last?["count"]) == 10 }
            #expect(store.state.count == 10)
            #expect(lifted().isEmpty)
            withExtendedLifetime(subscription) {}
        }

        @Test("A store that notifies its subscribers anyway is unlocked with a note, and no action runs twice")
        func tellingStore() async throws {
            let track = tape.track(TestState(), (any ReSwift.Action).self, decoding: [Step.self])
            let store = ReSwift.Store<TestState>(
                reducer: { action, state in
                    if let play = action as? Play { return play.state }
                    var next = state ?? track.start
                    track.record(action, &next) { $0.count += 1 }
                    return next
                }, state: track.start)
            store.subscriber = { state in
                if (5..<10).contains(state.count) { store.dispatch(Step()) }
            }
            track.connect(
                state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.dispatch(Play(state: $0)) })
            await order(Control(locked: true))
            let played = await server.push("p", .state(["todos": [], "count": 5, "filter": ""]))
            guard case .played = played else { throw FormatError("\(String(describing: played))") }
            // A renewal does not bring the lock back.
            await order(Control(locked: true))
            #expect(await server.push("a", .action(["type": "EchoTests.Step"])) != .failed(.locked))
            #expect(store.state.count == 11)
            #expect(lifted().count == 1)
        }

        struct Step: ReSwift.Action, Codable {}
        struct Play: ReSwift.Action { let state: TestState }

        @Test("An app whose subscriber dispatches through a queue is unlocked at a thousand queued actions")
        func later() async throws {
            let store = MainStore(tape)
            store.connect()
            await order(Control(locked: true))
            store.send(.todos(.add(title: "held")))
            var count = 0
            while !store.track.gate.isOpen {
                store.send(.increment)
                count += 1
                await Task.yield()
            }
            #expect(count >= HeldActions.limit - 1 && store.state.count == count)
            await server.wait { $0.events.contains { $0["text"]?.string?.contains("was lifted") == true } }
            #expect(store.state.todos.map(\.title) == ["held"])
            #expect(lifted().count == 1)
        }

        @Test("A replay into stores behind a dispatcher ends, whatever their subscribers dispatch")
        func replay() async throws {
            let states: [String: JSON] = [
                "first": ["todos": [], "count": 0, "filter": ""], "second": ["todos": [], "count": 0, "filter": ""],
            ]
            let server = try TestServer(
                TestServer.Manners(start: Welcome.Start(id: "r", mode: .replay, states: states)))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let dispatcher = Dispatcher<TestAction>(
                middleware: [{ next in { action in tape.dispatch { next(action) } } }])
            let stores = ["first", "second"].map { name in
                let track = tape.track(TestState(), TestAction.self, name: name)
                let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware])
                track.connect(
                    state: { store.state }, dispatch: { dispatcher.dispatch($0) }, play: { store.replace($0) })
                return store
            }
            let held = stores.map { store in
                store.subscribe { if (1..<10).contains($0.count) { dispatcher.dispatch(.increment) } }
            }
            let registrations = stores.map { dispatcher.register($0) }
            for (of, store) in [(5, "first"), (6, "second")] {
                server.send(.replay(Replay(id: "r", of: of, store: store, action: ["type": "increment"])))
            }
            server.send(.replay(Replay(id: "r")))
            let pushed = await server.wait { !$0.pushed.isEmpty }.pushed
            guard case .played = pushed.first?.result else { throw FormatError("\(pushed)") }
            #expect(stores.map(\.state.count) == [1, 1])
            withExtendedLifetime((held, registrations)) {}
        }
    }

    // The app's closures may call the recorder again.
    @MainActor @Suite("Closures that call the recorder again", .timeLimit(.minutes(1)), .serialized)
    struct CallbackTests {
        private let server: TestServer

        init() throws { server = try TestServer() }

        private func recorder(
            crashSafe: Bool = true, spool: SpoolScene? = nil, _ log: @escaping @Sendable (String) -> Void = { _ in }
        ) -> Recorder {
            Recorder(
                .test(
                    url: server.url,
                    launch: Launch(environment: [:], arguments: ["/bin/test-app"], spool: spool?.place), log: log))
        }

        private func warnings() -> [EventLine] { server.state.events.filter { $0["level"]?.string == "warning" } }

        @Test("A reducer's own dispatch runs and is recorded after its action")
        func reducer() async throws {
            let track = recorder().track(TestState(), TestAction.self)
            weak var found: Store<TestState, TestAction>?
            let store = Store<TestState, TestAction>(
                initial: track.start,
                reducer: { state, action in
                    reduce(&state, action)
                    if state.count == 1, state.todos.isEmpty { found?.dispatch(.todos(.add(title: "a"))) }
                }, middleware: [track.middleware])
            found = store
            store.dispatch(.increment)
            let events = await server.wait(forEvents: 3)
            #expect(events.map(\.type) == [nil, "increment", "todos/add"])
            #expect(try server.states().last?["todos"]?.array?.count == 1)
        }

        @Test("A state: that dispatches is not called more often, and the app gets a message")
        func state() async throws {
            let track = recorder().track(TestState(), TestAction.self, capture: .sampled(every: .milliseconds(1)))
            let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware])
            track.connect(
                state: {
                    store.dispatch(.increment)
                    return store.state
                }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
            let before = store.state.count
            for _ in 0..<100 { store.dispatch(.todos(.add(title: "a"))) }
            await server.wait { (try? $0.states().last?["todos"]?.array?.count) == 100 }
            #expect(server.state.events.filter { $0.type == "increment" }.isEmpty)
            // The recorder asks for it when the app is idle, and not again because of its side effect.
            #expect(store.state.count < before + 50)
            await server.wait { $0.events.contains { $0["text"]?.string?.contains("is not recorded") == true } }
            #expect(warnings().count == 1)
        }

        @Test("A play: that dispatches has its action recorded after the state")
        func play() async throws {
            let track = recorder().track(TestState(), TestAction.self)
            let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware])
            track.connect(
                dispatch: { store.dispatch($0) },
                play: {
                    store.replace($0)
                    store.dispatch(.increment)
                })
            await server.wait(forEvents: 1)
            let played = await server.push("p", .state(["todos": [], "count": 5, "filter": ""]))
            #expect(played == .played(seq: 1))
            let events = await server.wait(forEvents: 3)
            #expect(events.map(\.kind) == [.`init`, .replace, .action] && events[2]["cause"] == nil)
        }

        @Test("A log: that repeats the cause of its message ends")
        func log() async throws {
            let again = Locked<(() -> Void)?>(nil)
            let tape = recorder { _ in again.withLock { $0 }?() }
            let track = tape.track(Unwritable(), Unwritable.Act.self)
            let state = Locked(track.start)
            again.withLockUnchecked { again in
                again = { state.withLock { state in track.record(.go, &state) { $0.n += 1 } } }
            }
            state.withLock { state in track.record(.go, &state) { $0.n += 1 } }
            await server.wait { state in
                state.events.contains { $0["text"]?.string?.contains("last such warning") == true }
            }
            tape.finish(timeout: .seconds(20))
            #expect(warnings().count <= 2 * RecordingSession.maxWarnings)
        }

        @Test("A dispatch from encode(to:) is not recorded", arguments: [true, false])
        func encode(_ isCrashSafe: Bool) async throws {
            let scene = SpoolScene()
            let tape = recorder(spool: isCrashSafe ? scene : nil)
            tape.settle()
            let track = tape.track(TestState(), Dispatching.self)
            let state = Locked(track.start)
            let count = Locked(0)
            let send: @Sendable () -> Void = {
                count.withLock { $0 += 1 }
                var copy = state.withLock { $0 }
                track.record(Dispatching(), &copy) { $0.count += 1 }
            }
            Dispatching.whileEncoded.withLock { $0 = send }
            defer { Dispatching.whileEncoded.withLock { $0 = nil } }
            send()
            await server.wait { $0.events.contains { $0["text"]?.string?.contains("is not recorded") == true } }
            tape.finish(timeout: .seconds(20))
            #expect(server.state.events.filter { $0.kind == .action }.count == 1)
            #expect(count.withLock { $0 } <= 3)
        }

        @Test("finish() does not wait on the recorder's own thread, and all events arrive")
        func finish() async throws {
            let holder = Locked<Recorder?>(nil)
            let results = Locked<[Bool]>([])
            let tape = recorder { text in
                guard text.contains("could not be encoded"), let tape = holder.withLock({ $0 }) else { return }
                let result = tape.finish(timeout: .seconds(60))
                results.withLock { $0.append(result) }
            }
            holder.withLock { $0 = tape }
            let track = tape.track(Unwritable(), Unwritable.Act.self)
            var state = track.start
            track.record(.go, &state) { $0.n += 1 }
            await server.wait { $0.events.last?.kind == .end }
            #expect(results.withLock { $0.first } == false)
            holder.withLock { $0 = nil }
        }
    }

    /// A state that can be encoded only once.
    private struct Unwritable: Codable {
        enum Act: Codable { case go }
        struct Trouble: Error {}
        var n = 0
        init() {}
        func encode(to encoder: any Encoder) throws {
            guard n == 0 else { throw Trouble() }
            var container = encoder.singleValueContainer()
            try container.encode(n)
        }
    }

    /// An action that dispatches another while it is encoded.
    private struct Dispatching: Codable {
        static let whileEncoded = Locked<(@Sendable () -> Void)?>(nil)
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            Self.whileEncoded.withLock { $0 }?()
            var container = encoder.singleValueContainer()
            try container.encode("go")
        }
    }
#endif
