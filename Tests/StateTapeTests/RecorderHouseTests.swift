@testable import StateCapture

#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    // The recorder must not change the app's behaviour.
    extension RecorderTests {
        @Test("A store connected with weak closures is not kept alive, and its name becomes free")
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

        @Test("The dispatching thread does not encode")
        func thread() async throws {
            let server = try TestServer()
            DispatchQueue.main.setSpecific(key: Watched.key, value: true)
            #expect(Watched.isOnMain)
            let track = recorder(server).track(Watched(), Watched.Act.self)
            var state = track.start
            track.record(.go, &state) { $0.n += 1 }
            await server.wait(forEvents: 2)
            // Once for the first state, and both states for the patch.
            #expect(Watched.onMain.withLock { $0 } == [false, false, false])
        }

        @Test("A state or an action whose encoding throws is skipped with a note, and recording continues")
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

        @Test("What nests too deep for a tape is a marker, with a note")
        func deep() async throws {
            let server = try TestServer()
            let track = recorder(server).track(Chain.end, TestAction.self)
            var state = track.start
            track.record(.increment, &state) { $0 = Chain(depth: 150) }
            track.record(.increment, &state) { $0 = Chain(depth: 600) }
            let events = await server.wait(forEvents: 4)
            #expect(events.map(\.kind) == [.`init`, .action, .action, .note])
            #expect(events.allSatisfy { $0["skipped"] == nil })
            #expect(try server.states().last?.unencodablePlace?.tokens.isEmpty == false)
        }

        @Test("A push during a burst of actions is played, and every action is on the tape")
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
                .test(
                    allowTests: false,
                    launch: Launch(environment: ["STATETAPE_FILE": path], arguments: ["x.xctest"]),
                    log: { _ in }))
            let store = MainStore(tape)
            store.send(.increment)
            #expect(tape.finish(timeout: .seconds(20)))
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

    /// Notes whether it was encoded on the main queue, where the test runs.
    private struct Watched: Codable {
        static let onMain = Locked<[Bool]>([])
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
