#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateCapture
    @testable import StateTape

    private struct LoginState: Codable, Equatable {
        struct Account: Codable, Equatable {
            var id: Int
            var name: String
            var pin: String?
        }

        var user = ""
        var password = ""
        var accounts: [Account] = []
        var sessions: [String: String] = [:]
        var theme = "light"
        var link = URL(string: "https://example.com/")
    }

    private enum LoginAction: Codable {
        case setUser(String)
        case setPassword(String)
        case setTheme(String)
    }

    @MainActor private final class LoginStore {
        var state: LoginState
        let track: Track<LoginState, LoginAction>

        init(_ tape: Recorder, _ initial: LoginState = LoginState(), hasState: Bool = true) {
            track = tape.track(initial, LoginAction.self)
            state = track.start
            track.connect(
                state: hasState ? { [weak self] in self?.state } : nil, dispatch: { [weak self] in self?.send($0) },
                play: { [weak self] in self?.state = $0 })
        }

        func send(_ action: LoginAction) {
            track.record(action, &state) { state in
                switch action {
                case .setUser(let text): state.user = text
                case .setPassword(let text): state.password = text
                case .setTheme(let text): state.theme = text
                }
            }
        }

        func set(_ change: (inout LoginState) -> Void) { track.set(&state, change) }
    }

    @MainActor @Suite("A recorder with secrets", .timeLimit(.minutes(1)))
    struct RedactedRecorderTests {
        private func recorder(
            _ server: TestServer, redaction: Redaction = .standard, file: String? = nil,
            log: @escaping @Sendable (String) -> Void = { _ in }
        ) -> Recorder {
            var environment = ["STATETAPE_LABELS": "token=hunter2"]
            environment["STATETAPE_FILE"] = file
            return Recorder(
                .test(
                    url: server.url, redaction: redaction,
                    launch: Launch(environment: environment, arguments: ["/bin/test-app"]), log: log))
        }

        private var filled: LoginState {
            var state = LoginState()
            state.password = "hunter2"
            state.accounts = [.init(id: 1, name: "a", pin: "hunter21"), .init(id: 2, name: "b", pin: "hunter22")]
            state.sessions = ["home": "x", "token": "hunter23"]
            return state
        }

        @Test("No secret is in any line, in the file, in the header or in the log, whatever the app does")
        func nothingLeaves() async throws {
            let server = try TestServer()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
            defer { try? FileManager.default.removeItem(at: file) }
            let logged = Locked<[String]>([])
            let tape = recorder(server, file: file.path, log: { text in logged.withLock { $0.append(text) } })
            let store = LoginStore(tape, filled)
            var random = Seeded(11)
            for step in 0..<200 {
                let secret = "hunter\(step)" + String(repeating: "x", count: random.below(100))
                switch random.below(9) {
                case 0: store.send(.setPassword(secret))
                case 1: store.send(.setUser("user \(step)"))
                case 2: store.set { $0.accounts.insert(.init(id: 10 + step, name: "n", pin: secret), at: 0) }
                case 3:
                    store.set { $0.accounts[random.below($0.accounts.count)].pin = random.once(in: 2) ? nil : secret }
                case 4: store.set { $0.accounts.shuffle(using: &random) }
                case 5: store.set { $0.sessions["cookie \(random.below(5))"] = secret }
                case 6: store.set { $0.sessions["plain \(random.below(5))"] = "value" }
                case 7: store.set { $0.password += secret }
                default: tape.note("logged in with password=\(secret)")
                }
            }
            #expect(tape.finish(timeout: .seconds(20)))
            let state = await server.wait { $0.events.last?.kind == .end }
            let lines = state.events.map(\.bytes) + state.hellos.map { AppLine.hello($0).bytes }
            for line in lines { #expect(!String(decoding: line, as: UTF8.self).contains("hunter")) }
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("hunter"))
            #expect(!logged.withLock { $0 }.contains { $0.contains("hunter") })
            let last = try #require(try server.states().last)
            #expect(last["password"] == Redacted.json && last["sessions"]?["token"] == Redacted.json)
            #expect(last["accounts"]?.array?.count == store.state.accounts.count)
        }

        @Test("Without a redaction everything is recorded")
        func none() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server, redaction: .none), filled)
            store.send(.setPassword("hunter9"))
            let events = await server.wait(forEvents: 2)
            #expect(events[1]["action"]?["payload"] == ["_0": "hunter9"])
            #expect(try server.states().last?["password"] == "hunter9")
        }

        @Test("An edited state is applied without losing the app's secrets")
        func playing() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled)
            store.send(.setTheme("dark"))
            await server.wait(forEvents: 2)
            var pushed = try #require(try server.states().last?.object)
            pushed["theme"] = "blue"
            pushed["accounts"] = .array(try #require(pushed["accounts"]?.array).reversed())
            store.state.password = "typed since"
            let result = await server.push("p1", .state(.object(pushed)))
            guard case .played? = result else { return #expect(Bool(false), "\(String(describing: result))") }
            var expected = filled
            (expected.theme, expected.password) = ("blue", "typed since")
            expected.accounts.reverse()
            #expect(store.state == expected)
        }

        @Test("Without a state closure, the secrets come from the state recorded last")
        func recorded() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled, hasState: false)
            store.send(.setPassword("hunter9"))
            await server.wait(forEvents: 2)
            var pushed = try #require(try server.states().last?.object)
            pushed["theme"] = "blue"
            guard case .played? = await server.push("p1", .state(.object(pushed))) else { return #expect(Bool(false)) }
            #expect(store.state.password == "hunter9" && store.state.theme == "blue")
        }

        @Test("An exact push is refused with the place if the app lacks the secret, and so is an action")
        func refused() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled)
            await server.wait(forEvents: 1)
            let pushed = try #require(try server.states().last)
            store.set { $0.accounts[1].pin = nil }
            func failure(_ id: String, _ content: Push.Content) async -> Pushed.Failure? {
                guard case .failed(let failure)? = await server.push(id, isExact: true, content) else {
                    return nil
                }
                return failure
            }
            let state = await failure("p1", .state(pushed))
            #expect(state?.code == .redacted && state?.path == "/accounts/1/pin")
            let action = await failure(
                "p2", .action(["type": "setPassword", "payload": ["_0": ["$redacted": true]]]))
            #expect(action?.code == .redacted && action?.path == "/payload/_0")
            #expect(action?.message.hasPrefix("the value of “setPassword” was left out") == true)
            let member = await failure(
                "p4", .action(["type": "log/in", "payload": ["_0": ["pin": ["$redacted": true]]]]))
            #expect(member?.message.hasPrefix("the value of “pin” was left out when it was recorded, as") == true)
            #expect(member?.message.hasSuffix("To keep it, see Redacting.md in StateTape.docc") == true)
            let broken = await failure("p3", .state(["password": ["hunter": "hunter2"]]))
            #expect(broken?.code == .decode && broken?.path == "/password")
            #expect(store.state.password == "hunter2")
        }

        @Test("A state with a secret that the app lacks is applied without it")
        func lacking() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled)
            await server.wait(forEvents: 1)
            let pushed = try #require(try server.states().last)
            store.set { $0.accounts[1].pin = nil }
            guard case .played(_, let adjustments)? = await server.push("p1", .state(pushed)) else {
                return #expect(Bool(false))
            }
            #expect(adjustments.lost.map(\.path) == ["/accounts/1/pin"])
            #expect(adjustments.lost.first?.instead == .null && store.state.accounts[1].pin == nil)
            #expect(store.state.accounts[0] == filled.accounts[0])
        }

        @Test("The reason of a loss holds no secret")
        func lossOfSecret() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled)
            let pushed: JSON = ["user": "u", "password": ["hunter": "hunter2"], "accounts": [], "sessions": [:]]
            guard case .played(_, let adjustments)? = await server.push("p1", .state(pushed)) else {
                return #expect(Bool(false))
            }
            #expect(adjustments.lost.map(\.path) == ["/password"] && store.state.user == "u")
            #expect(server.state.pushed.allSatisfy { !"\($0)".contains("hunter") })
            #expect(server.state.events.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("hunter") })
        }

        @Test("A pushed action with a secret is dispatched, and recorded without it")
        func pushedAction() async throws {
            let server = try TestServer()
            let store = LoginStore(recorder(server), filled)
            let action: JSON = ["type": "setPassword", "payload": ["_0": "typed"]]
            guard case .played(let seq, _)? = await server.push("p1", .action(action)) else {
                return #expect(Bool(false))
            }
            #expect(store.state.password == "typed")
            #expect(server.state.events[seq]["action"] == ["type": "setPassword", "payload": Redacted.json])
        }

        @Test("A launch state takes its secrets from the app's initial state")
        func start() async throws {
            let initial = filled
            let pushed = try JSON(
                parsing: #"{"user":"u","password":{"$redacted":true},"accounts":[],"sessions":{},"theme":"blue"}"#)
            let start = Welcome.Start(id: "s1", mode: .state, states: ["main": pushed])
            let server = try TestServer(TestServer.Manners(start: start))
            let store = LoginStore(recorder(server), initial)
            await server.wait { !$0.pushed.isEmpty }
            #expect(store.state.password == "hunter2" && store.state.theme == "blue")
        }
    }
#endif
