@testable import TapeUplink

#if os(Linux)
    import StateTape
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTape

    @MainActor @Suite("A replay in the running app", .timeLimit(.minutes(1)))
    struct LoopTests {
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

        private func begin(_ states: [String: JSON]? = nil, keep: Bool = false) {
            let before: JSON = ["todos": [], "count": 10, "filter": "all"]
            server.send(.loop(Loop(id: "l", states: states ?? ["main": before], keep: keep)))
        }

        private func replay(_ of: Int, _ action: JSON = ["type": "increment"], store: String = "main") {
            server.send(.replay(Replay(id: "l", of: of, store: store, action: action)))
        }

        /// Ends the loop and returns the app's answer.
        private func end() async throws -> Pushed {
            server.send(.replay(Replay(id: "l")))
            return try await answer()
        }

        private func answer() async throws -> Pushed {
            try #require(await server.wait { $0.pushed.contains { $0.id == "l" } }.pushed.first { $0.id == "l" })
        }

        private func failure(_ pushed: Pushed) -> Pushed.Failure? {
            if case .failed(let failure) = pushed.result { failure } else { nil }
        }

        /// The app is unlocked a little after its answer.
        private func unlocked() async throws {
            while !store.track.gate.isOpen {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        @Test("The actions run from the given state, and the app's own state is back before the answer")
        func putBack() async throws {
            store.send(.increment)
            begin()
            for of in 3...5 { replay(of) }
            let pushed = try await end()
            #expect(pushed.result == .played(seq: 6))
            #expect(store.state.count == 1)
            let events = server.state.events.dropFirst(2)
            #expect(
                events.map { $0["cause"] } == [
                    ["loop": "l"], ["loop": "l", "of": 3], ["loop": "l", "of": 4], ["loop": "l", "of": 5],
                    ["loop": "l", "end": true],
                ])
            #expect(try server.states().map { $0["count"]?.int } == [0, 1, 10, 11, 12, 13, 1])
            try await unlocked()
            store.send(.increment)
            #expect(store.state.count == 2)
        }

        @Test("With keep, the state stays where the actions led")
        func kept() async throws {
            begin(keep: true)
            replay(3)
            #expect(try await end().result == .played(seq: 2))
            #expect(store.state.count == 11)
            #expect(server.state.events.last?["cause"] == ["loop": "l", "of": 3, "keep": true])
        }

        @Test("The app's actions during the replay are dropped, and a note counts them")
        func dropped() async throws {
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            store.send(.todos(.add(title: "own")))
            #expect(store.state.todos.isEmpty)
            _ = try await end()
            let events = await server.wait { $0.events.last?.kind == .note }.events
            #expect(events.last?["text"]?.string?.hasPrefix("1 action of “main” was dropped") == true)
            #expect(store.state == TestState())
        }

        @Test("Actions that were queued before stay queued, and run when the app is unlocked")
        func queued() async throws {
            server.send(.control(Control(locked: true)))
            _ = await server.push("locked", store: "none", .state(1))
            store.send(.increment)
            begin()
            replay(3)
            _ = try await end()
            #expect(store.state.count == 0)
            // Applied on the store's isolation, after the end of the loop.
            _ = await server.push("s", .state(["todos": [], "count": 40, "filter": "all"]))
            #expect(store.state.count == 40 && !store.track.gate.isOpen)
            server.send(.control(Control(locked: false, queue: .replay)))
            await store.wait { $0.count == 41 }
        }

        @Test("An action that can't be decoded ends the replay, is named, and the state is back")
        func unreadable() async throws {
            begin()
            replay(3)
            replay(4, ["type": "gone"])
            replay(5)
            let pushed = try await end()
            #expect(failure(pushed)?.code == .decode)
            #expect(failure(pushed)?.message.contains("event 4") == true)
            #expect(pushed.next == 4)
            #expect(store.state.count == 0)
            try await unlocked()
        }

        @Test("Actions that come while the states are put back don't run")
        func late() async throws {
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            // The main actor isn't left until all have come, so that the state is put back after them.
            for number in 0..<10 {
                replay(4 + number, ["type": number == 0 ? "gone" : "increment"])
                server.send(.push(Push(id: "\(number)", store: "main", content: .action(["type": "increment"]))))
                while !server.state.pushed.contains(where: { $0.id == "\(number)" }) { try Task.checkCancellation() }
            }
            #expect(try await failure(answer())?.code == .decode)
            try await unlocked()
            #expect(store.state.count == 0)
        }

        @Test("An action of a store that the app lacks is named; a recorded store without actions is left out")
        func unknownStore() async throws {
            begin(["main": ["todos": [], "count": 10, "filter": "all"], "gone": 1])
            replay(3)
            replay(4, store: "gone")
            let pushed = try await answer()
            #expect(failure(pushed)?.code == .unknownStore)
            #expect(failure(pushed)?.message == "the action of event 4: the app has no store “gone”")
            #expect(store.state.count == 0)
        }

        @Test("The server can stop it")
        func stopped() async throws {
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            server.send(.loop(Loop(id: "l", states: nil)))
            #expect(try await failure(answer()) == .stopped)
            #expect(store.state.count == 0)
            try await unlocked()
        }

        @Test("If the connection is lost, the app is unlocked and has its state back")
        func lost() async throws {
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            server.state.connection?.close(code: 1012, reason: "restart")
            await store.wait { $0.count == 0 }
            try await unlocked()
            store.send(.increment)
            #expect(store.state.count == 1)
        }

        @Test("A store that is attached during the replay is unlocked at its end")
        func attached() async throws {
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            let late = MainStore(tape, name: "late")
            late.connect()
            #expect(!late.track.gate.isOpen)
            _ = try await end()
            while !late.track.gate.isOpen {
                try Task.checkCancellation()
                await Task.yield()
            }
            late.send(.increment)
            #expect(late.state.count == 1)
        }

        @Test("Meanwhile pushes and another replay are refused")
        func refused() async throws {
            begin()
            replay(3)
            let state = await server.push("s", .state(["todos": [], "count": 40, "filter": "all"]))
            #expect(state == .failed(.looping))
            server.send(.loop(Loop(id: "other", states: ["main": 1])))
            let pushed = await server.wait { $0.pushed.contains { $0.id == "other" } }.pushed.last
            #expect(pushed?.result == .failed(.looping))
            _ = try await end()
            #expect(store.state.count == 0)
        }

        @Test("A replay that begins while the app still ends the last one runs from its own state")
        func another() async throws {
            store.send(.increment)
            begin()
            replay(3)
            await store.wait { $0.count == 11 }
            server.send(.replay(Replay(id: "l")))
            await store.wait { $0.count == 1 }
            // The main actor isn't left until the recorder has the next replay, so that the last one's end comes later.
            while !server.state.pushed.contains(where: { $0.id == "l" }) { try Task.checkCancellation() }
            server.send(.loop(Loop(id: "m", states: ["main": ["todos": [], "count": 20, "filter": "all"]])))
            server.send(.push(Push(id: "next", store: "none", content: .state(1))))
            while !server.state.pushed.contains(where: { $0.id == "next" }) { try Task.checkCancellation() }
            server.send(.replay(Replay(id: "m", of: 3, action: ["type": "increment"])))
            server.send(.replay(Replay(id: "m")))
            let pushed = await server.wait { $0.pushed.contains { $0.id == "m" } }.pushed.last
            #expect(pushed?.result == .played(seq: 7))
            #expect(try server.states().map { $0["count"]?.int } == [0, 1, 10, 11, 1, 20, 21, 1])
            try await unlocked()
            store.send(.increment)
            #expect(store.state.count == 2)
        }

        @Test("A secret that was left out of the tape keeps the app's value")
        func redacted() async throws {
            begin(["main": ["todos": [], "count": 10, "filter": ["$redacted": true]]])
            replay(3)
            #expect(try await end().result == .played(seq: 3))
            #expect(try server.states()[1...2].map { $0["filter"] } == ["all", "all"])
            #expect(store.state == TestState())
        }

        @Test("Effects of the actions don't start")
        func effects() async throws {
            let track = tape.track(TestState(), TestAction.self, name: "effects")
            let state = Locked(track.start)
            let started = Locked(0)
            track.connect(
                state: { state.withLock { $0 } },
                dispatch: { action in
                    let isReduced = state.withLock { state in
                        track.record(action, &state, held: false) {
                            reduce(&$0, action)
                            return true
                        }
                    }
                    if isReduced { started.withLock { $0 += 1 } }
                }, play: { played in state.withLock { $0 = played } })
            begin(["effects": ["todos": [], "count": 10, "filter": "all"]])
            replay(3, store: "effects")
            _ = try await end()
            #expect(started.withLock { $0 } == 0 && state.withLock { $0.count } == 0)
            #expect(try server.states(of: "effects").map { $0["count"]?.int } == [0, 10, 11, 0])
        }

        @Test(
            "A store whose state can't be read gets the recorded one back, unless the replay keeps its own",
            arguments: [false, true])
        func unreadableStore(_ keep: Bool) async throws {
            let track = tape.track(TestState(), TestAction.self, name: "blind")
            let state = Locked(track.start)
            track.connect(
                dispatch: { action in
                    state.withLock { state in track.record(action, &state) { reduce(&$0, action) } }
                }, play: { played in state.withLock { $0 = played } })
            _ = await server.push("a", store: "blind", .action(["type": "increment"]))
            begin(["blind": ["todos": [], "count": 10, "filter": "all"]], keep: keep)
            replay(3, store: "blind")
            _ = try await end()
            #expect(state.withLock { $0.count } == (keep ? 11 : 1))
        }
    }
#endif
