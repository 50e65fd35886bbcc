#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("A recorder with a server", .timeLimit(.minutes(1)))
    struct RecorderTests {
        func recorder(_ server: TestServer, bounds: Outbox.Bounds = Outbox.Bounds()) -> Recorder {
            recorder(server.url, bounds: bounds)
        }

        func recorder(_ url: String, bounds: Outbox.Bounds = Outbox.Bounds()) -> Recorder {
            Recorder(
                url: url, allowTests: true,
                launch: Launch(environment: ["STATETAPE_LABELS": "branch=main"], arguments: ["/bin/test-app"]),
                bounds: bounds,
                log: { _ in })
        }

        func tree(_ state: TestState) throws -> JSON { try TreeEncoder().tree(of: state) }

        @Test("What a store does arrives as events, with states that patch to the app's own")
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
            #expect(events[1]["caller"]?.string?.hasPrefix("StateTapeTests/TestApp.swift:") == true)
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

        @Test("A server that comes later gets everything")
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

        @Test("A server that goes and comes back has every event once")
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
            // The acknowledgement must have been taken in: what follows is an answer to something sent after it.
            _ = await first.push("sync", store: "nowhere", .state(1))
            let port = first.port
            first.stop()
            let second = try TestServer(port: port)
            let events = await second.wait(forEvents: 4)
            #expect(events.map(\.kind) == [.gap, .replace])
            #expect(events[0].count == 3)
            #expect(try second.states().last == tree(store.state))
        }

        @Test("At the bound of memory a gap takes the oldest events' place and a full state follows")
        func bounded() async throws {
            let first = try TestServer()
            let port = first.port
            first.stop()
            let tape = recorder("http://127.0.0.1:\(port)/", bounds: Outbox.Bounds(count: 100, bytes: 1 << 20))
            let store = MainStore(tape)
            for _ in 0..<1_000 { store.send(.increment) }
            let server = try TestServer(port: port)
            let events = await server.wait { (try? $0.states())?.last?["count"] == 1_000 }.events
            #expect(events.contains { $0.kind == .replace })
            let gap = try #require(events.first { $0.kind == .gap })
            #expect(gap["reason"] == "memory")
            #expect(events.map(\.count).reduce(0, +) == events.last.map { $0.seq + 1 })
            #expect(try server.states().last == tree(store.state))
        }

        // MARK: Playing

        @Test("A pushed state is played on the store's isolation, recorded, then answered")
        func pushState() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape, initial: TestState(filter: "mine"))
            store.connect()
            await server.wait(forEvents: 1)
            let pushed = await server.push(
                "p1", .state(["todos": [["title": "t", "done": true, "old": 1]], "count": 5, "extra": .null]))
            #expect(pushed == .played(seq: 1, filled: ["/filter"], ignored: ["/extra", "/todos/0/old"]))
            #expect(store.state == TestState(todos: [Todo(title: "t", done: true)], count: 5, filter: "mine"))
            #expect(server.state.order.suffix(2) == ["1", "pushed p1"])
            #expect(server.state.events[1].kind == .replace)
            #expect(server.state.events[1]["cause"] == ["push": "p1"])
            #expect(try server.states().last == tree(store.state))
            // Again by the same id: answered, not played.
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

        @Test("What can't be played is answered with code and path, and changes nothing")
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
                guard case .failed(let failure) = await server.push(id, store: store, expires: expires, content) else {
                    return nil
                }
                return failure
            }
            let decode = await failure("1", .state(["todos": [["title": 1]], "count": 0, "filter": ""]))
            #expect(decode?.code == "decode" && decode?.path == "/todos/0/title")
            let action = await failure("2", .action(["type": "todos/add", "payload": [:]]))
            #expect(action?.code == "decode" && action?.path == "/payload/title")
            #expect(await failure("3", store: "nowhere", .state(1))?.code == "unknown-store")
            #expect(await failure("4", store: "quiet", expires: 1, .state(1))?.code == "expired")
            quiet.track.connect(state: { nil })
            #expect(
                await failure("5", store: "quiet", .state(["todos": [], "count": 0, "filter": ""]))?.code
                    == "unsupported")
            #expect(await failure("6", store: "quiet", .action(["type": "increment"]))?.code == "unsupported")
            #expect(store.state == TestState() && quiet.state == TestState())
            #expect(server.state.events.count == 2)
        }

        @Test("A store connected outside of any actor is played into as well")
        func nonisolated() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let played = Guarded<TestState?>(nil)
            let track = tape.track(TestState(), TestAction.self)
            await connectNowhere(track, played)
            await server.wait(forEvents: 1)
            let pushed = await server.push("p", .state(["todos": [], "count": 9, "filter": ""]))
            #expect(pushed == .played(seq: 1))
            #expect(played.withLock { $0 }?.count == 9)
            withExtendedLifetime(track) {}
        }

        /// The shortest of ten runs: a busy machine can hold up one, but not all.
        private func fastest(_ body: () -> Void) -> Duration {
            (0..<10).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
        }

        nonisolated private func connectNowhere(
            _ track: Track<TestState, TestAction>, _ played: Guarded<TestState?>
        ) async {
            track.connect(play: { state in played.withLock { $0 = state } })
        }

        // MARK: Starting

        @Test("A start that comes in time is the state to begin with, and is answered")
        func startInTime() async throws {
            let start = Welcome.Start(id: "s1", mode: "state", states: ["main": ["todos": [], "count": 7]])
            let server = try TestServer(TestServer.Manners(start: start))
            let tape = recorder(server)
            let store = MainStore(tape)
            #expect(store.state == TestState(count: 7))
            let state = await server.wait { !$0.pushed.isEmpty }
            #expect(state.hellos.first?.fresh == true)
            #expect(state.pushed.first?.result == .played(seq: 0, filled: ["/filter"]))
            #expect(state.events.first?.kind == .`init`)
            #expect(state.events.first?["cause"] == ["push": "s1"])
            #expect(try server.states() == [tree(TestState(count: 7))])
        }

        @Test("A start that the app can't read leaves it with its own state, and says why")
        func startBroken() async throws {
            let start = Welcome.Start(id: "s1", mode: "state", states: ["main": ["todos": 1]])
            let server = try TestServer(TestServer.Manners(start: start))
            let store = MainStore(recorder(server))
            #expect(store.state == TestState())
            let state = await server.wait { !$0.pushed.isEmpty }
            guard case .failed(let failure)? = state.pushed.first?.result else { throw FormatError("it was played") }
            #expect(failure.path == "/todos")
        }

        @Test("A start that comes after 300 ms is played once the store is connected")
        func startLate() async throws {
            let start = Welcome.Start(
                id: "s1", mode: "state", states: ["main": ["todos": [], "count": 7, "filter": "f"]])
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
            // The wait is over for the whole process.
            #expect(fastest { _ = MainStore(tape, name: "second").state } < .milliseconds(290))
        }

        @Test("A refused connection does not hold the launch up")
        func startRefused() throws {
            let server = try TestServer()
            let url = server.url
            server.stop()
            #expect(fastest { _ = MainStore(recorder(url)).state } < .milliseconds(290))
            let store = MainStore(recorder(url))
            #expect(store.state == TestState())
        }

        // MARK: The app's house

        @Test("A store connected by weak closures is not kept alive, and its name is free again")
        func released() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            var store: MainStore? = MainStore(tape)
            store?.connect()
            weak let released = store
            await server.wait(forEvents: 1)
            let twin = MainStore(tape)
            store = nil
            #expect(released == nil)
            let events = await server.wait(forEvents: 3)
            #expect(events.map(\.kind) == [.`init`, .`init`, .detach])
            #expect(events.map(\.store) == ["main", "main#2", "main"])
            _ = await server.push("sync", store: "main", .state(1))
            let next = MainStore(tape)
            let more = await server.wait(forEvents: 4)
            #expect(more[3].store == "main")
            withExtendedLifetime((twin, next)) {}
        }

        @Test("A patch that did not apply is followed by the full state that the server asks for")
        func want() async throws {
            let server = try TestServer()
            let store = MainStore(recorder(server))
            store.send(.increment)
            await server.wait(forEvents: 2)
            server.send(.want(store: "main"))
            let events = await server.wait(forEvents: 3)
            #expect(events[2].kind == .replace)
            #expect(try events[2]["state"] == tree(store.state))
        }

        @Test("Encoding does not happen where the app dispatches")
        func thread() async throws {
            let server = try TestServer()
            DispatchQueue.main.setSpecific(key: Watched.key, value: true)
            #expect(Watched.isOnMain)
            let track = recorder(server).track(Watched(), Watched.Act.self)
            var state = track.start
            track.record(.go, &state) { $0.n += 1 }
            await server.wait(forEvents: 2)
            #expect(Watched.onMain.withLock { $0 } == [false, false])
        }

        @Test("A state or an action that throws while it is encoded is skipped, with a note, and the rest goes on")
        func skipped() async throws {
            let server = try TestServer()
            let track = recorder(server).track(Fragile(), Fragile.Act.self)
            var state = track.start
            track.record(.fine, &state) { $0.n = 13 }
            track.record(.fine, &state) { $0.n = 2 }
            track.record(.broken, &state) { $0.n = 3 }
            let events = await server.wait(forEvents: 6)
            #expect(events.map(\.kind) == [.`init`, .note, .action, .action, .note, .action])
            #expect(events[2]["skipped"] == true && events[2].type == "fine")
            #expect(events[4]["level"] == "warning")
            #expect(events[5].type == "Act/broken" || events[5].type?.hasSuffix("broken") == true)
            #expect(try server.states().last == ["n": 3])
        }

        @Test("A state that nests deeper than a tape may is skipped, with a note")
        func deep() async throws {
            let server = try TestServer()
            let track = recorder(server).track(Chain.end, TestAction.self)
            var state = track.start
            track.record(.increment, &state) { $0 = Chain(depth: 150) }
            track.record(.increment, &state) { $0 = Chain(depth: 600) }
            let events = await server.wait(forEvents: 4)
            #expect(events.map(\.kind) == [.`init`, .action, .note, .action])
            #expect(events[1]["skipped"] == nil && events[3]["skipped"] == true)
        }

        @Test("A push among a burst of actions is played, and every action is on the tape")
        func burst() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = MainStore(tape)
            store.connect()
            await server.wait(forEvents: 1)
            for _ in 0..<1_000 { store.send(.increment) }
            server.send(.push(Push(id: "p", content: .state(["todos": [], "count": 5_000, "filter": ""]))))
            await store.wait { $0.count >= 5_000 }
            for _ in 0..<1_000 { store.send(.increment) }
            let events = await server.wait(forEvents: 2_002)
            #expect(events.filter { $0.kind == .action }.count == 2_000)
            await server.wait { !$0.pushed.isEmpty }
            #expect(try server.states().last == tree(store.state))
            #expect(store.state.count == 6_000)
        }

        @Test("A tape file holds the header and every event")
        func file() throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let tape = Recorder(
                url: nil, allowTests: false,
                launch: Launch(environment: ["STATETAPE_FILE": path], arguments: ["x.xctest"]),
                log: { _ in })
            let store = MainStore(tape)
            store.send(.increment)
            #expect(tape.finish())
            store.send(.increment)
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(try Header(JSON(parsing: String(lines[0]))).app.id == "x.xctest")
            let events = try lines.dropFirst().map { try EventLine(parsing: Array($0.utf8)) }
            #expect(events.map(\.kind) == [.`init`, .action, .end])
        }
    }

    private indirect enum Chain: Codable {
        case end
        case link(Chain)

        init(depth: Int) { self = (0..<depth).reduce(.end) { chain, _ in .link(chain) } }
    }

    /// Tells whether it was encoded on the main queue, where the test runs.
    private struct Watched: Codable {
        static let onMain = Guarded<[Bool]>([])
        static let key = DispatchSpecificKey<Bool>()
        static var isOnMain: Bool { DispatchQueue.getSpecific(key: key) == true }
        var n = 0
        enum Act: Codable { case go }
        init() {}
        func encode(to encoder: any Encoder) throws {
            Self.onMain.withLock { $0.append(Self.isOnMain) }
            var container = encoder.singleValueContainer()
            try container.encode(n)
        }
    }

    private struct Fragile: Codable {
        var n = 0
        enum Act: Codable {
            case fine, broken
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                guard case .fine = self else { throw Trouble() }
                try container.encode("fine")
            }
            init(from decoder: any Decoder) throws { self = .fine }
        }
        struct Trouble: Error {}
        enum CodingKeys: CodingKey { case n }
        init() {}
        func encode(to encoder: any Encoder) throws {
            guard n != 13 else { throw Trouble() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(n, forKey: .n)
        }
    }
#endif
