#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    @MainActor @Suite("A recorder with a server", .timeLimit(.minutes(1)))
    struct RecorderTests {
        func recorder(_ server: TestServer, startLimit: Double? = nil) -> Recorder {
            recorder(server.url, startLimit: startLimit)
        }

        func recorder(
            _ url: String, bounds: Outbox.Bounds = Outbox.Bounds(), startLimit: Double? = nil
        ) -> Recorder {
            var launch = Launch(environment: ["STATETAPE_LABELS": "branch=main"], arguments: ["/bin/test-app"])
            launch.environment["STATETAPE_LAUNCH_WAIT"] = startLimit.map { "\($0)" }
            return Recorder(.test(url: url, launch: launch, bounds: bounds, log: { _ in }))
        }

        func tree(_ state: TestState) throws -> JSON { try TreeEncoder().tree(of: state) }

        @Test("A store's actions arrive as events, with patches to the app's states")
        func events() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape)
            var states = [store.state]
            store.send(.todos(.add(title: "milk")))
            states.append(store.state)
            store.send(.todos(.toggle(0)))
            states.append(store.state)
            store.set { $0.filter = "done" }
            states.append(store.state)
            tape.note("here")
            #expect(tape.finish(timeout: .seconds(20)))
            let events = await server.wait(forEvents: 6)
            #expect(events.map(\.seq) == Array(0...5))
            #expect(events.map(\.kind) == [.`init`, .action, .action, .replace, .note, .end])
            #expect(events[1].type == "todos/add")
            #expect(events[1]["action"]?["payload"] == ["title": "milk"])
            #expect(events[1]["caller"]?.string?.hasPrefix("StateTapeTests/RecorderTests.swift:") == true)
            #expect((events[1]["took"]?.double ?? -1) >= 0)
            #expect(events[2]["patch"]?.array?.count == 1)
            #expect(events[3]["cause"] == ["set": true])
            #expect(events[4]["text"] == "here")
            #expect(try server.states() == states.map(tree))
            let times = events.map { $0.at.double }
            #expect(times == times.sorted())
            let header = try #require(server.state.hellos.first).header
            #expect(header.app.id == "test-app" && header.labels == ["branch": "main"])
            #expect(header.recorder?.hasPrefix("statetape-swift/") == true && header.session.count == 26)
        }

        @Test("A server that starts later gets everything")
        func serverLater() async throws {
            let first = try TestServer()
            let port = first.port
            first.stop()
            let tape = recorder("http://127.0.0.1:\(port)/")
            let store = MainStore(tape)
            for _ in 0..<50 { store.send(.increment) }
            let server = try TestServer(port: port)
            let events = await server.wait(forEvents: 51)
            #expect(events.count == 51)
            #expect(try server.states().last == tree(store.state))
        }

        @Test("A server that restarts has every event once")
        func serverBack() async throws {
            let first = try TestServer()
            let tape = recorder(first)
            let store = MainStore(tape)
            for _ in 0..<10 { store.send(.increment) }
            let kept = await first.wait(forEvents: 11)
            let port = first.port
            first.stop()
            for _ in 0..<10 { store.send(.todos(.add(title: "x"))) }
            let second = try TestServer(port: port, events: kept)
            let events = await second.wait(forEvents: 21)
            #expect(events.map(\.seq) == Array(0...20))
            #expect(try second.states().last == tree(store.state))
            #expect(second.state.hellos.first?.fresh == false)
        }

        @Test("A server that has lost events gets a gap and a full state")
        func serverLost() async throws {
            let first = try TestServer()
            let tape = recorder(first)
            let store = MainStore(tape)
            store.send(.increment)
            store.send(.increment)
            await first.wait(forEvents: 3)
            // The answer to a later message shows that the recorder has handled the acknowledgement.
            _ = await first.push("sync", store: "nowhere", .state(1))
            let port = first.port
            first.stop()
            let second = try TestServer(port: port)
            let events = await second.wait(forEvents: 4)
            #expect(events.map(\.kind) == [.gap, .replace])
            #expect(events[0].count == 3)
            #expect(try second.states().last == tree(store.state))
        }

        @Test("At the memory bound, a gap replaces the oldest events and a full state follows")
        func bounded() async throws {
            let first = try TestServer()
            let port = first.port
            first.stop()
            let tape = recorder("http://127.0.0.1:\(port)/", bounds: Outbox.Bounds(count: 100, bytes: 1 << 20))
            let store = MainStore(tape)
            for _ in 0..<1_000 { store.send(.increment) }
            let server = try TestServer(port: port)
            let events = await server.wait { state in
                state.events.contains { $0.kind == .replace } && (try? state.states())?.last?["count"] == 1_000
            }.events
            let gap = try #require(events.first)
            #expect(gap.kind == .gap && gap["reason"] == "memory")
            // The remaining segment can be read without the earlier ones.
            #expect(events.dropFirst().first?.raw("state") != nil)
            #expect(events.map(\.count).reduce(0, +) == events.last.map { $0.seq + 1 })
            #expect(try server.states().last == tree(store.state))
        }

        // MARK: Playing

        @Test("A pushed state is applied on the store's isolation, recorded, then answered")
        func pushState() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape, initial: TestState(filter: "mine"))
            store.connect()
            await server.wait(forEvents: 1)
            let pushed = await server.push(
                "p1", .state(["todos": [["title": "t", "done": true, "old": 1]], "count": 5, "extra": .null]))
            #expect(pushed == .played(seq: 1, Adjustments(filled: ["/filter"], ignored: ["/extra", "/todos/0/old"])))
            #expect(store.state == TestState(todos: [Todo(title: "t", done: true)], count: 5, filter: "mine"))
            #expect(server.state.order.suffix(2) == ["1", "pushed p1"])
            #expect(server.state.events[1].kind == .replace)
            #expect(
                server.state.events[1]["cause"]
                    == ["push": "p1", "filled": ["/filter"], "ignored": ["/extra", "/todos/0/old"]])
            #expect(try server.states().last == tree(store.state))
            // With the same id again, the push is answered, not played.
            store.send(.increment)
            server.send(.push(Push(id: "p1", content: .state(["todos": [], "count": 0, "filter": ""]))))
            await server.wait { $0.pushed.count == 2 }
            #expect(store.state.count == 6)
        }

        @Test("A pushed action goes through the reducer, and its event names the push")
        func pushAction() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape)
            store.connect()
            store.send(.todos(.add(title: "a")))
            await server.wait(forEvents: 2)
            let pushed = await server.push("p2", .action(["type": "todos/toggle", "payload": ["_0": 0]]))
            #expect(pushed == .played(seq: 2))
            #expect(store.state.todos[0].done)
            #expect(server.state.events[2].type == "todos/toggle")
            #expect(server.state.events[2]["cause"] == ["push": "p2"])
            store.send(.todos(.toggle(0)))
            let events = await server.wait(forEvents: 4)
            #expect(events[3]["cause"] == nil)
        }

        @Test("A push that can't be played is answered with code and path, and changes nothing")
        func pushErrors() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape)
            let quiet = MainStore(tape, name: "quiet")
            store.connect()
            await server.wait(forEvents: 2)
            func failure(_ id: String, store: String = "main", expires: Int? = 60_000, _ content: Push.Content) async
                -> Pushed.Failure?
            {
                let result = await server.push(id, store: store, expires: expires, isExact: true, content)
                guard case .failed(let failure) = result else { return nil }
                return failure
            }
            let decode = await failure("1", .state(["todos": [["title": 1]], "count": 0, "filter": ""]))
            #expect(decode?.code == .decode && decode?.path == "/todos/0/title")
            let action = await failure("2", .action(["type": "todos/add", "payload": [:]]))
            #expect(action?.code == .decode && action?.path == "/payload/title")
            #expect(await failure("3", store: "nowhere", .state(1))?.code == .unknownStore)
            #expect(await failure("4", store: "quiet", expires: 1, .state(1))?.code == .expired)
            quiet.track.connect(state: { nil })
            #expect(
                await failure("5", store: "quiet", .state(["todos": [], "count": 0, "filter": ""]))?.code
                    == .unsupported)
            #expect(await failure("6", store: "quiet", .action(["type": "increment"]))?.code == .unsupported)
            #expect(store.state == TestState() && quiet.state == TestState())
            #expect(server.state.events.count == 2)
        }

        @Test("A store connected outside any actor accepts pushes too, and answers once it has what was pushed")
        func nonisolated() async throws {
            let server = try TestServer()
            let store = SlowStore(recorder(server))
            await store.connect()
            await server.wait(forEvents: 1)
            let contents: [Push.Content] = [
                .state(["todos": [], "count": 9, "filter": ""]), .action(["type": "increment"]),
            ]
            for (content, seq) in zip(contents, 1...) {
                async let pushed = server.push("p\(seq)", content)
                await server.wait(forEvents: seq + 1)
                // Answers come in order.
                _ = await server.push("q\(seq)", store: "nowhere", content)
                #expect(!server.state.pushed.contains { $0.id == "p\(seq)" })
                store.isFree.signal()
                #expect(await pushed == .played(seq: seq))
                #expect(store.state.withLock(\.count) == 8 + seq)
            }
        }

        /// The shortest of ten runs: a busy machine can delay one, but not all.
        private func fastest(_ body: () -> Void) -> Duration {
            (0..<10).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
        }

        // MARK: Launch state

        @Test("A launch state that arrives in time is the first state, and is answered")
        func startInTime() async throws {
            let start = Welcome.Start(id: "s1", mode: .state, states: ["main": ["todos": [], "count": 7]])
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = recorder(server, startLimit: 20)
            let store = MainStore(tape)
            #expect(store.state == TestState(count: 7))
            let state = await server.wait { !$0.pushed.isEmpty }
            #expect(state.hellos.first?.fresh == true)
            #expect(state.pushed.first?.result == .played(seq: 0, Adjustments(filled: ["/filter"])))
            #expect(state.events.first?.kind == .`init`)
            #expect(state.events.first?["cause"] == ["push": "s1", "filled": ["/filter"]])
            #expect(try server.states() == [tree(TestState(count: 7))])
        }

        @Test("If the app can't decode the launch state, it keeps its own state and says why")
        func startBroken() async throws {
            let start = Welcome.Start(id: "s1", mode: .state, states: ["main": ["todos": 1]])
            let server = try TestServer(TestServer.Manners(start: start))
            let store = MainStore(recorder(server, startLimit: 20))
            #expect(store.state == TestState())
            let state = await server.wait { !$0.pushed.isEmpty }
            guard case .failed(let failure)? = state.pushed.first?.result else { throw FormatError("it was played") }
            #expect(failure.path == "/todos")
            let note = try #require(await server.wait { $0.events.contains { $0.kind == .note } }.events.last)
            #expect(note["level"] == "warning" && note["cause"] == ["push": "s1"])
            #expect(note["text"]?.string?.contains("could not launch") == true)
        }

        @Test("A launch state that arrives after 300 ms is applied once the store is connected")
        func startLate() async throws {
            let start = Welcome.Start(
                id: "s1", mode: .state, states: ["main": ["todos": [], "count": 7, "filter": "f"]])
            let server = try TestServer(TestServer.Manners(start: start, welcomes: false))
            let tape = recorder(server)
            let before = ContinuousClock.now
            let store = MainStore(tape)
            let waited = ContinuousClock.now - before
            #expect(store.state == TestState())
            #expect(waited >= .milliseconds(290))
            await server.wait { !$0.hellos.isEmpty }
            server.welcome()
            store.connect()
            await store.wait { $0.count == 7 }
            let events = await server.wait { !$0.pushed.isEmpty }.events
            #expect(events.map(\.kind) == [.`init`, .replace])
            #expect(events[1]["cause"] == ["push": "s1"])
            // The process waits only once.
            #expect(fastest { _ = MainStore(tape, name: "second").state } < .milliseconds(290))
        }

        @Test("A launch waits only as long as the environment says")
        func startWait() throws {
            let server = try TestServer(TestServer.Manners(welcomes: false))
            #expect(fastest { _ = MainStore(recorder(server, startLimit: 0)).state } < .milliseconds(290))
        }

        @Test("A refused connection does not delay the launch")
        func startRefused() throws {
            let server = try TestServer()
            let url = server.url
            server.stop()
            let before = ContinuousClock.now
            let store = MainStore(recorder(url, startLimit: 40))
            #expect(.now - before < .seconds(20))
            #expect(store.state == TestState())
        }
    }
#endif
