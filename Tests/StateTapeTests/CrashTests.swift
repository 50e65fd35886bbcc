#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    /// The app that dies: the process of an exit test. Its environment names the spool and the server.
    private struct Victim {
        static let spool = "STATETAPE_TESTS_SPOOL"
        static let url = "STATETAPE_TESTS_URL"

        let messages = Locked<[String]>([])
        let recorder: Recorder
        let track: Track<TestState, TestAction>
        var state: TestState

        init() {
            let environment = ProcessInfo.processInfo.environment
            let messages = messages
            recorder = Recorder(
                .test(
                    url: environment[Self.url],
                    launch: Launch(
                        environment: [:], arguments: ["/bin/test-app"],
                        spool: environment[Self.spool].map { URL(fileURLWithPath: $0) }),
                    log: { text in messages.withLock { $0.append(text) } }))
            track = recorder.track(TestState(), TestAction.self)
            state = track.start
            recorder.settle()
        }

        mutating func send(_ action: TestAction) {
            track.record(action, &state) { state in
                // This reducer traps at the third todo.
                if case .todos(.toggle(let index)) = action { state.todos[index].done.toggle() }
                reduce(&state, action)
            }
        }
    }

    @Suite("A process that dies while it records", .timeLimit(.minutes(2)), .serialized)
    struct CrashTests {
        private let scene = SpoolScene()

        /// Exit tests inherit the environment of this process.
        private func prepare(_ server: TestServer) {
            setenv(Victim.spool, scene.place.path, 1)
            setenv(Victim.url, server.url, 1)
        }

        private func ended(_ server: TestServer) async -> [EventLine] {
            let state = await server.wait { $0.tapes.values.contains { $0.last?.kind == .end } }
            return state.tapes.values.first { $0.last?.kind == .end } ?? []
        }

        @Test(
            "An action whose reducer traps arrives at the next launch as unfinished; the session ends as crashed")
        func trap() async throws {
            let server = try TestServer()
            prepare(server)
            await #expect(processExitsWith: .failure) {
                var victim = Victim()
                for _ in 0..<5 { victim.send(.increment) }
                // There is no such element.
                victim.send(.todos(.toggle(7)))
            }
            let next = scene.recorder(server.url)
            let events = await ended(server)
            try #require(events.map(\.seq) == Array(0...7))
            #expect(events.filter { $0.type == "increment" }.count == 5)
            #expect(events[6]["action"] == ["type": "todos/toggle", "payload": ["_0": 7]])
            #expect(events[6]["unfinished"] == true)
            #expect(events[7]["reason"] == "crashed")
            await scene.delivered()
            next.finish(timeout: .seconds(20))
            #expect(scene.sessions.isEmpty && scene.told.isEmpty)
        }

        @Test("After a kill between two actions, every action arrives once")
        func killed() async throws {
            let server = try TestServer()
            prepare(server)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                var victim = Victim()
                for _ in 0..<500 { victim.send(.increment) }
                kill(getpid(), SIGKILL)
            }
            let next = scene.recorder(server.url)
            let events = await ended(server)
            // Actions that had no line yet arrive without their states.
            #expect(events.filter { $0.type == "increment" }.count == 500)
            #expect(events.map(\.seq) == Array(0...501))
            #expect(events.last?["reason"] == "interrupted")
            withExtendedLifetime(next) {}
        }

        @Test("Another launch does not take the session of a living process")
        func living() async throws {
            let server = try TestServer()
            let first = scene.recorder(server.url)
            let store = await MainStore(first)
            await store.send(.increment)
            await server.wait(forEvents: 2)
            prepare(server)
            // Another process, which looks for orphaned sessions.
            await #expect(processExitsWith: .success) {
                let victim = Victim()
                exit(victim.recorder.finish(timeout: .seconds(20)) ? 0 : 1)
            }
            await store.send(.increment)
            first.settle()
            #expect(server.state.recoveries.isEmpty)
            #expect(scene.sessions.count == 1)
            first.finish(timeout: .seconds(20))
            #expect(scene.sessions.isEmpty)
        }

        @Test("A full disk stops the writing with one message, and recording continues")
        func full() async throws {
            let server = try TestServer()
            prepare(server)
            await #expect(processExitsWith: .success) {
                // This limit makes a write fail as a full disk does.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
                limit.rlim_cur = rlim_t(PendingActions.fileSize)
                guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
                var victim = Victim()
                let long = String(repeating: "x", count: 10_000)
                for _ in 0..<200 { victim.send(.todos(.add(title: long))) }
                guard victim.recorder.finish(timeout: .seconds(30)) else { exit(3) }
                exit(victim.messages.withLock { $0.filter { $0.contains("in memory only") }.count } == 1 ? 0 : 1)
            }
            let events = server.state.events
            #expect(events.filter { $0.type == "todos/add" }.count == 200)
            #expect(events.last?.kind == .end)
        }
    }
#endif
