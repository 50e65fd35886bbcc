#if os(Linux)
    import StateTape
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTape

    @MainActor @Suite("Time travel in the running app", .timeLimit(.minutes(1)))
    struct TravelTests {
        private let server: TestServer
        private let tape: Recorder
        private let store: MainStore

        init() async throws {
            server = try TestServer()
            tape = Recorder(.test(url: server.url))
            store = MainStore(tape)
            store.connect()
            await server.wait(forEvents: 1)
            for _ in 1...4 { store.send(.increment) }
        }

        /// Looks at the state after an event, as the server asks for it.
        private func look(at seq: Int, count: Int) async -> Pushed.Result? {
            server.send(.control(Control(locked: true)))
            return await push("look \(server.state.pushed.count)", travel: seq, count: count)
        }

        private func push(_ id: String, travel: Int?, count: Int) async -> Pushed.Result? {
            let state: JSON = ["todos": [], "count": .number(JSON.Number(count)), "filter": "all"]
            server.send(.push(Push(id: id, expires: 60_000, travel: travel, content: .state(state))))
            return await server.wait { $0.pushed.contains { $0.id == id } }.pushed.first { $0.id == id }?.result
        }

        private func unlock(queue: Control.Queue = .replay, keep: Bool = false) {
            server.send(.control(Control(locked: false, queue: queue, keep: keep)))
        }

        @Test("Ten steps back and the return leave one event, and the app has its latest state")
        func returned() async throws {
            for seq in [4, 3, 2, 1, 0, 1, 2, 1, 0, 3] {
                #expect(await look(at: seq, count: seq) == .played(seq: 4))
                #expect(store.state.count == seq)
            }
            #expect(server.state.events.count == 5)
            unlock()
            let event = await server.wait(forEvents: 6).last
            #expect(event?.kind == .replace && event?["patch"] == [])
            #expect(event?["cause"]?["travel"] == ["count": 10, "seqs": [4, 3, 2, 1, 0, 1, 2, 1, 0, 3]])
            await store.wait { $0.count == 4 }
        }

        @Test("The app's actions meanwhile are queued, and run on the latest state")
        func queued() async throws {
            _ = await look(at: 0, count: 0)
            store.send(.increment)
            #expect(store.state.count == 0)
            unlock()
            await store.wait { $0.count == 5 }
            let events = await server.wait(forEvents: 7)
            #expect(events.map(\.kind).suffix(2) == [.replace, .action])
            #expect(try server.states().map { $0["count"]?.int } == [0, 1, 2, 3, 4, 4, 5])
        }

        @Test("Past the limit of queued actions the own state comes back first, and all run on it in their order")
        func overfull() async throws {
            _ = await look(at: 0, count: 0)
            let titles = (0..<HeldActions.limit + 5).map(String.init)
            for title in titles { store.send(.todos(.add(title: title))) }
            #expect(store.state.todos.isEmpty && !store.track.gate.isOpen)
            await store.wait { $0.todos.count == titles.count }
            #expect(store.state.todos.map(\.title) == titles && store.state.count == 4)
            #expect(store.track.gate.isOpen)
            let notes = await server.wait { $0.events.count { $0.kind == .action } == titles.count + 4 }.events
                .compactMap { $0["text"]?.string }
            #expect(notes.count == 1 && notes.first?.contains("was lifted") == true)
        }

        @Test("The state that was come to is kept on request, and the queue is discarded")
        func kept() async throws {
            _ = await look(at: 1, count: 1)
            store.send(.increment)
            unlock(queue: .discard, keep: true)
            let events = await server.wait(forEvents: 7)
            #expect(events[5]["cause"] == ["travel": ["count": 1, "seqs": [1]], "keep": true])
            #expect(events[6].kind == .note)
            #expect(try server.states().last?["count"] == 1)
            #expect(store.state.count == 1)
        }

        @Test("A lost connection ends it: the app is back at its latest state, and the queue runs")
        func lost() async throws {
            _ = await look(at: 1, count: 1)
            store.send(.increment)
            server.state.connection?.close(code: 1012, reason: "restart")
            await store.wait { $0.count == 5 }
        }

        @Test("A state that is applied for good is the one to return to")
        func applied() async throws {
            _ = await look(at: 1, count: 1)
            #expect(await push("applied", travel: nil, count: 40) == .played(seq: 5))
            _ = await look(at: 2, count: 2)
            unlock()
            await store.wait { $0.count == 40 }
            #expect(await server.wait(forEvents: 7).last?["patch"] == [])
        }

        @Test("An app that isn't locked refuses a step, and records nothing")
        func unlocked() async throws {
            let result = await push("look", travel: 1, count: 1)
            guard case .failed(let failure) = result else { return #expect(Bool(false)) }
            #expect(failure.code == .unlocked)
            #expect(store.state.count == 4)
        }

        @Test("A long travel names its first events and the last one")
        func long() {
            var travel = Travel(before: KeptState(0))
            for seq in 0..<100 { travel.look(at: seq) }
            travel.look(at: 99)
            let cause = travel.cause(keeps: false)
            #expect(cause["travel"]?["count"] == 100)
            #expect(cause["travel"]?["seqs"]?.array?.compactMap(\.int) == Array(0..<19) + [99])
        }
    }
#endif
