#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    @Suite("States too long for a line", .serialized, .timeLimit(.minutes(1)))
    struct LongStateTests {
        /// Counts its encodings, each of which takes a while.
        struct Part: Codable, Sendable {
            static let took = Duration.milliseconds(20)
            static let encoded = Locked(0)
            var text = ""

            init() {}
            init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

            func encode(to encoder: any Encoder) throws {
                Self.encoded.withLock { $0 += 1 }
                let start = ContinuousClock.now
                while ContinuousClock.now - start < Self.took {}
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }

        final class Instance: Codable, Sendable {}

        struct Document<Owner: Codable & Sendable>: Codable, Sendable {
            var part = Part()
            var edits = 0
            var owner: Owner?
        }

        private static let long = String(repeating: "x", count: 20_000)
        private let transport = FakeTransport()

        private func recorder() -> Recorder {
            let tape = Recorder(
                .test(
                    url: "http://127.0.0.1:9/", launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: { _ in }, transport: { [transport] in transport }))
            tape.settle()
            transport.say(.welcome(Welcome(session: "s", have: 0, server: "t", maxMessage: 10_000)))
            tape.settle()
            return tape
        }

        enum Way: CaseIterable { case action, bursts, set }

        @Test(
            "While a state is too long, trying takes at most a ninth of the time",
            arguments: Way.allCases, [false, true])
        func rest(way: Way, hasInstance: Bool) throws {
            // A state with an instance is encoded where it changes.
            if hasInstance { try rest(way, Document<Instance>()) } else { try rest(way, Document<Int>()) }
        }

        private func rest(_ way: Way, _ initial: Document<some Codable & Sendable>) throws {
            let tape = recorder()
            let track = tape.track(initial, TestAction.self)
            let store = Locked(track.start)
            track.connect(state: { store.withLock { $0 } })
            store.withLock { state in track.record(.increment, &state) { $0.part.text = Self.long } }
            tape.settle()
            let (before, start) = (Part.encoded.withLock { $0 }, ContinuousClock.now)
            for index in 0..<40 {
                store.withLock { state in
                    if way == .set {
                        track.set(&state) { $0.edits += 1 }
                    } else {
                        track.record(.increment, &state) { $0.edits += 1 }
                    }
                }
                if way != .bursts || index % 8 == 7 { tape.settle() }
            }
            let (tries, took) = (Part.encoded.withLock { $0 } - before, ContinuousClock.now - start)
            // A try may encode the part three times.
            #expect(Double(tries) <= took / (Part.took * 9) + 3, "\(tries) tries in \(took)")
            let actions = transport.events.filter { $0.kind == .action }
            #expect(actions.count == (way == .set ? 1 : 41))
            let notes = transport.events.filter { $0.kind == .note }.compactMap { $0["text"]?.string }
            #expect(notes.count { $0.contains("is left out until it is shorter") } == 1)
        }

        @Test("A state that is short again is on the tape once the app is idle, or at a later action")
        func shortAgain() async throws {
            let server = try TestServer()
            let tape = Recorder(
                .test(
                    url: server.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: { _ in }))
            let track = tape.track(Document<Int>(), TestAction.self)
            let store = Locked(track.start)
            track.connect(state: { store.withLock { $0 } })
            func change(_ text: String) {
                store.withLock { state in track.record(.increment, &state) { $0.part.text = text } }
                tape.settle()
            }
            change("a")
            await server.wait { (try? $0.states().last?["part"]) == "a" }
            // This server accepts lines of up to 1 MiB.
            change(String(repeating: "x", count: 1_100_000))
            change("short")
            // Unless the test was slow, this is the trailing state.
            await server.wait { (try? $0.states().last?["part"]) == "short" }
            change("after")
            await server.wait { (try? $0.states().last?["part"]) == "after" }
        }
    }
#endif
