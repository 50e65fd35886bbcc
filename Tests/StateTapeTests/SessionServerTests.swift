#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape
    @testable import TapeUplink

    /// Which server gets what a dead process left.
    @Suite("The server that a session was recorded for", .timeLimit(.minutes(2)))
    struct SessionServerTests {
        /// What is known of the server for which a dead process recorded.
        enum Recorded: String, CaseIterable, Sendable {
            /// Welcomed by the archive A.
            case archive
            /// Welcomed by the archive A at another address: its port has changed, or another name of the machine was used.
            case elsewhere
            /// Never welcomed; recorded for this address.
            case address
            /// Never welcomed; recorded for another port of this machine.
            case otherAddress
            /// Never welcomed; the private server's URL named the archive A.
            case named
            /// By an older version, which noted nothing.
            case unknown
        }

        /// The server that answers the next launch.
        enum Next: String, CaseIterable, Sendable {
            case same, other, privateSame, privateOther
            /// A server without archive ids.
            case old
        }

        private static let delivered: [Recorded: Set<Next>] = [
            .archive: [.same, .privateSame], .elsewhere: [.same, .privateSame],
            .address: [.same, .other, .old], .otherAddress: [], .named: [.same, .privateSame],
            .unknown: [.same, .other, .old],
        ]

        private let id = "01JD3M8Q5R7V2X9B4N6T0KZYW1"

        private static func manners(_ next: Next) -> TestServer.Manners {
            var manners = TestServer.Manners()
            switch next {
            case .same: manners.archive = "A"
            case .other: manners.archive = "B"
            case .privateSame: (manners.archive, manners.isPrivate) = ("A", true)
            case .privateOther: (manners.archive, manners.isPrivate) = ("P", true)
            case .old: break
            }
            return manners
        }

        private static func server(_ recorded: Recorded, at url: String) throws -> SessionServer {
            let address = try #require(Address(url)).key
            return switch recorded {
            case .archive: SessionServer(address: address, archive: "A", isWelcomed: true)
            case .elsewhere: SessionServer(address: "ws://192.168.1.7:8080", archive: "A", isWelcomed: true)
            case .address: SessionServer(address: address)
            case .otherAddress: SessionServer(address: "ws://localhost:9")
            case .named: SessionServer(try #require(Address("http://127.0.0.1:9/#archive=A")))
            case .unknown: SessionServer()
            }
        }

        @Test("Only the server that a session was recorded for gets it", arguments: Recorded.allCases, Next.allCases)
        func table(_ recorded: Recorded, _ next: Next) async throws {
            let scene = SpoolScene()
            let server = try TestServer(Self.manners(next))
            // A token, and another name of this machine, don't make it another server.
            let url = "http://localhost:\(server.port)/#token=t"
            try scene.leave(id, [0...3], for: Self.server(recorded, at: url))
            let tape = scene.recorder(url, isTheirs: false)
            let isDelivered = try #require(Self.delivered[recorded]).contains(next)
            if isDelivered {
                await scene.delivered()
            } else {
                await scene.said("waits on this machine")
            }
            tape.finish(timeout: .seconds(20))
            #expect(scene.names() == (isDelivered ? [] : [id]))
            let stored = server.state.tapes[id]
            #expect(stored?.map(\.seq) == (isDelivered ? Array(0...4) : nil))
        }

        @Test("If another archive answers at the address of a session, the message says so")
        func replaced() async throws {
            let scene = SpoolScene()
            let server = try TestServer(TestServer.Manners(archive: "B"))
            let name = "http://localhost:\(server.port)"
            try scene.leave(
                id, [0...3],
                for: SessionServer(address: "ws://localhost:\(server.port)", archive: "A", isWelcomed: true))
            let tape = scene.recorder(server.url, isTheirs: false)
            await scene.said("1 earlier session waits on this machine for an earlier archive at \(name). It is sent")
            tape.finish(timeout: .seconds(20))
        }

        @Test("Launches with one server say once that a session stays, as after each save of statetape run")
        func once() async throws {
            let scene = SpoolScene()
            try scene.leave(
                id, [0...3], for: SessionServer(address: "ws://localhost:9", archive: "A", isWelcomed: true))
            let server = try TestServer(TestServer.Manners(archive: "B"))
            for launch in 1...3 {
                let tape = scene.recorder(server.url, isTheirs: false)
                if launch == 1 { await scene.said("waits on this machine") }
                await scene.said("Connected; the session is ", times: launch)
                tape.finish(timeout: .seconds(20))
            }
            #expect(scene.told.filter { $0.contains("waits on this machine") }.count == 1)
        }

        @Test("A session is delivered once its own server answers, also by the launch after the next")
        func later() async throws {
            let scene = SpoolScene()
            try scene.leave(
                id, [0...3], for: SessionServer(address: "ws://localhost:9", archive: "A", isWelcomed: true))
            for (number, archive) in ["B", "C"].enumerated() {
                let server = try TestServer(TestServer.Manners(archive: archive))
                let tape = scene.recorder(server.url, isTheirs: false)
                await scene.said("waits on this machine for http://localhost:9. It is", times: number + 1)
                tape.finish(timeout: .seconds(20))
            }
            let server = try TestServer(TestServer.Manners(archive: "A"))
            let tape = scene.recorder(server.url, isTheirs: false)
            await scene.delivered()
            #expect(server.state.tapes[id]?.count == 5)
            withExtendedLifetime(tape) {}
        }

        @Test("A welcome is noted on disk, and a token never")
        func noted() async throws {
            let scene = SpoolScene()
            let server = try TestServer(TestServer.Manners(archive: "A", isPrivate: true))
            let tape = scene.recorder("http://127.0.0.1:\(server.port)/#token=secret")
            let store = await MainStore(tape)
            await store.send(.increment)
            await server.wait(forEvents: 2)
            let left = try scene.asLeft()
            let name = try #require(left.sessions.first)
            let folder = try #require(try SessionFolder.take(left.place.appendingPathComponent(name)))
            let expected = SessionServer(
                address: "ws://localhost:\(server.port)", archive: "A", isPrivate: true, isWelcomed: true)
            #expect(folder.identity?.server == expected)
            for file in ["lock", "hello"] {
                let text = try String(contentsOf: folder.place.appendingPathComponent(file), encoding: .utf8)
                #expect(text.contains("\"archive\":\"A\"") && !text.contains("secret"))
            }
            withExtendedLifetime(tape) {}
        }

        @Test(
            "A running session that meets another archive goes on there, and what the first one lacks waits for it",
            arguments: [(false, false), (false, true), (true, false), (true, true)])
        func crossing(isPrivate: Bool, ignoresArchives: Bool) async throws {
            let scene = SpoolScene()
            // It stores everything, and acknowledges nothing.
            let first = try TestServer(
                TestServer.Manners(acknowledges: false, archive: "A", isPrivate: isPrivate))
            let (port, tape) = (first.port, scene.recorder(first.url))
            let store = await MainStore(tape)
            await store.send(.increment)
            await first.wait(forEvents: 2)
            let session = try #require(first.state.hellos.first).header.session
            first.stop()

            let second = try TestServer(
                port: port, TestServer.Manners(archive: "B", ignoresArchives: ignoresArchives))
            await second.wait { ($0.hellos.last?.header.session ?? session) != session }
            await store.send(.increment)
            await second.wait { (try? $0.states())?.last?["count"] == 2 }
            let events = second.state.events
            #expect(second.state.tapes[session] == nil, "The second server got the first one's session.")
            // Of a private server's recording, others get only what follows, with the whole state.
            #expect(events.first?.kind == (isPrivate ? .gap : .`init`) && events.contains { $0.kind == .action })
            if isPrivate {
                #expect(events[0]["reason"] == "other-archive" && events[0].count == 2)
                // The state may be written before the next action.
                #expect(events[1].raw("state") != nil)
            }
            tape.finish(timeout: .seconds(20))
            #expect(scene.sessions.count == 1)

            let third = try TestServer(TestServer.Manners(archive: "A", isPrivate: isPrivate))
            let next = scene.recorder(third.url, isTheirs: false)
            await scene.delivered()
            #expect(third.state.tapes[session]?.map(\.kind) == [.`init`, .action, .end])
            next.finish(timeout: .seconds(20))
            #expect(scene.names().isEmpty)
        }

        @Test("An older copy of the archive gets the session on, with a gap for what it lost")
        func restored() async throws {
            let scene = SpoolScene()
            let first = try TestServer(TestServer.Manners(archive: "A"))
            let (port, tape) = (first.port, scene.recorder(first.url))
            let store = await MainStore(tape)
            for _ in 0..<3 { await store.send(.increment) }
            await first.wait(forEvents: 4)
            let session = try #require(first.state.hellos.first).header.session
            let kept = Array(first.state.events.prefix(2))
            first.stop()
            let second = try TestServer(port: port, tapes: [session: kept], TestServer.Manners(archive: "A"))
            await second.wait { !$0.hellos.isEmpty }
            await store.send(.increment)
            let state = await second.wait { (try? $0.states())?.last?["count"] == 4 }
            #expect(state.hellos.map(\.header.session) == [session])
            tape.finish(timeout: .seconds(20))
        }

        @Test("What another archive has of a session is neither damaged nor lost, and an unused session is not either")
        func continued() async throws {
            let (scene, server) = (SpoolScene(), try TestServer())
            var own = SessionServer(try Address(parsing: server.url))
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYWF", [], for: own)
            own.first = 3
            try scene.leave(id, [3...5], for: own)
            let tape = scene.recorder(server.url, isTheirs: false)
            await scene.delivered(2)
            #expect(scene.told.isEmpty)
            let events = server.state.tapes[id] ?? []
            #expect(events.map(\.kind) == [.gap, .note, .note, .note, .end])
            #expect(events.first?["reason"] == "other-archive" && events.first?.count == 3)
            tape.finish(timeout: .seconds(20))
        }

        @Test("A session that nobody takes is deleted after 30 days, with a message")
        func age() throws {
            let scene = SpoolScene()
            try scene.leave(
                id, [0...3], for: SessionServer(address: "ws://a.example:80", archive: "A", isWelcomed: true))
            let now = Int(Date().timeIntervalSince1970)
            scene.folder.tidy(limit: 1 << 20, now: now + 30 * 86_400 - 60)
            #expect(scene.sessions == [id] && scene.told.isEmpty)
            scene.folder.tidy(limit: 1 << 20, now: now + 30 * 86_400 + 60)
            #expect(scene.sessions.isEmpty)
            #expect(
                scene.told == [
                    "Session \(id) was deleted: it has waited more than 30 days for http://a.example:80."
                ])
        }

        @Test("What was set aside is deleted after 30 days, or beyond the limit of bytes; other files there stay")
        func setAside() throws {
            let scene = SpoolScene()
            for number in 1...3 { try scene.leave(String(id.dropLast()) + "\(number)", [0...99], size: 1_000) }
            for name in scene.sessions {
                scene.folder.setAside(scene.place.appendingPathComponent(name), because: "of a test")
            }
            for name in ["photographs-2024", "notes.txt"] {
                try Data("mine".utf8).write(to: scene.place.appendingPathComponent("set-aside/\(name)"))
            }
            let now = Int(Date().timeIntervalSince1970)
            scene.folder.tidy(limit: 250_000, now: now)
            #expect(scene.names(in: "set-aside").filter { $0.hasPrefix("01J") }.count == 2)
            scene.folder.tidy(limit: 1 << 20, now: now + 31 * 86_400)
            #expect(scene.names(in: "set-aside") == ["notes.txt", "photographs-2024"])
            #expect(scene.told.filter { $0.contains("was deleted: ") }.count == 3)
        }
    }
#endif
