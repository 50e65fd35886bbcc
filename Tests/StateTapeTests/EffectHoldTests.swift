#if os(Linux)
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("Effects during a lock and a replay", .timeLimit(.minutes(1)), .serialized)
    struct EffectHoldTests {
        private let server: TestServer
        private let tape: Recorder
        private let gate = WorkGate()

        init() throws {
            server = try TestServer()
            tape = Recorder(.test(url: server.url))
        }

        private func lock() async {
            server.send(.control(Control(locked: true)))
            // The answer to a push comes after the lock.
            _ = await server.push("after \(server.state.pushed.count)", store: "none", .state(1))
        }

        private func unlock(_ queue: Control.Queue = .replay) {
            server.send(.control(Control(locked: false, queue: queue)))
        }

        private func actions() -> [JSON] { server.state.events.compactMap { $0["action"] } }

        @Test("A queued action begins its work when the app is unlocked", arguments: FeedApp.Style.allCases)
        func held(_ style: FeedApp.Style) async {
            let app = FeedApp(style, tape, gate)
            await server.wait(forEvents: 1)
            await lock()
            app.fetch("\(style)-a")
            #expect(gate.begun == [])
            unlock()
            await gate.begins("\(style)-a")
            gate.open("\(style)-a")
            await app.has("\(style)-a")
            await server.wait(forEvents: 3)
            #expect(actions().count == 2)
        }

        @Test("A result that comes during a lock is queued", arguments: FeedApp.Style.allCases)
        func result(_ style: FeedApp.Style) async {
            let app = FeedApp(style, tape, gate)
            await server.wait(forEvents: 1)
            app.fetch("\(style)-a")
            app.fetch("\(style)-b")
            await gate.begins("\(style)-a")
            await lock()
            for name in ["a", "b"] { gate.open("\(style)-\(name)") }
            _ = await server.push("s", .state(["wanted": "", "items": ["applied"]]))
            #expect(app.feed().items == ["applied"])
            unlock()
            for name in ["a", "b"] { await app.has("\(style)-\(name)") }
            #expect(app.feed().items.first == "applied")
        }

        @Test("A replayed action begins no work; its result is replayed, too", arguments: FeedApp.Style.allCases)
        func replayed(_ style: FeedApp.Style) async throws {
            let app = FeedApp(style, tape, gate)
            let (a, b) = ("\(style)-a", "\(style)-b")
            gate.open(a)
            gate.open(b)
            app.fetch(a)
            await app.has(a)
            await server.wait(forEvents: 3)
            let recorded = actions()
            #expect(recorded.count == 2)
            server.send(.loop(Loop(id: "l", states: ["main": ["wanted": "", "items": ["before"]]], keep: true)))
            for (of, action) in recorded.enumerated() {
                server.send(.replay(Replay(id: "l", of: of + 1, store: "main", action: action)))
            }
            server.send(.replay(Replay(id: "l")))
            let pushed = await server.wait { $0.pushed.contains { $0.id == "l" } }.pushed.first { $0.id == "l" }
            #expect(pushed?.result == .played(seq: 5))
            #expect(app.feed().items == ["before", a])
            #expect(gate.begun == [a])
            // The app is unlocked a little after its answer.
            while app.isHeld(), !Task.isCancelled { await Task.yield() }
            app.fetch(b)
            await app.has(b)
            #expect(gate.begun == [a, b])
        }

        // MARK: Drivers

        private func driven() -> (Store<Feed, FeedAction>, Driver<String>) {
            let store = Store(initial: Feed(), reducer: reduce).taped(by: tape)
            let gate = gate
            let driver = Driver(
                of: store,
                wants: { $0.wanted.isEmpty || $0.items.contains($0.wanted) ? [] : [$0.wanted] },
                run: { item, dispatch in
                    await gate.work(item)
                    await dispatch(.fetched(item))
                    await gate.work("\(item) ended")
                })
            return (store, driver)
        }

        private var begun: [String] { gate.begun.filter { !$0.hasSuffix("ended") } }

        @Test("A driver begins the work of a state that was applied during a lock when the lock ends")
        func driverApplied() async {
            let (store, driver) = driven()
            await lock()
            _ = await server.push("s", .state(["wanted": "applied", "items": []]))
            #expect(store.state.wanted == "applied")
            store.dispatch(.want("queued"))
            #expect(gate.begun == [])
            unlock(.discard)
            await gate.begins("applied")
            gate.open("applied")
            await store.feed(with: "applied")
            #expect(begun == ["applied"])
            withExtendedLifetime(driver) {}
        }

        @Test("A driver whose result was queued doesn't begin again if it is dispatched, and does if it is discarded")
        func driverResult() async {
            let (store, driver) = driven()
            await server.wait(forEvents: 1)
            for (item, queue) in [("kept", Control.Queue.replay), ("lost", .discard)] {
                store.dispatch(.want(item))
                await gate.begins(item)
                await lock()
                gate.open(item)
                gate.open("\(item) ended")
                await gate.begins("\(item) ended")
                #expect(!store.state.items.contains(item))
                unlock(queue)
                await store.feed(with: item)
            }
            #expect(begun == ["kept", "lost", "lost"])
            withExtendedLifetime(driver) {}
        }

        @Test("A driver begins no work for states and actions of a replay, and goes on with the app's own state")
        func driverReplayed() async {
            let (store, driver) = driven()
            await server.wait(forEvents: 1)
            server.send(.loop(Loop(id: "l", states: ["main": ["wanted": "before", "items": []]], keep: false)))
            for (of, item) in ["x", "y"].enumerated() {
                let action: JSON = ["type": "want", "payload": ["_0": .string(item)]]
                server.send(.replay(Replay(id: "l", of: of + 1, store: "main", action: action)))
            }
            server.send(.replay(Replay(id: "l")))
            await server.wait { $0.pushed.contains { $0.id == "l" } }
            while !store.gate.isOpen, !Task.isCancelled { await Task.yield() }
            store.dispatch(.want("own"))
            await gate.begins("own")
            #expect(gate.begun == ["own"])
            withExtendedLifetime(driver) {}
        }
    }
#endif
