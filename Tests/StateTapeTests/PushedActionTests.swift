#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("Pushed actions", .timeLimit(.minutes(1)))
    struct PushedActionTests {
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

        private func actions() -> [EventLine] { server.state.events.filter { $0.kind == .action } }

        @Test("An action that a middleware changed is answered with its new event")
        func changed() async throws {
            let store = store
            store.track.connect(dispatch: { _ in store.send(.todos(.add(title: "changed"))) })
            let answer = await server.push("p", .action(["type": "increment"]))
            #expect(answer == .played(seq: 1))
            #expect(actions().map { $0["cause"] } == [["push": "p"]])
            #expect(store.state.todos.map(\.title) == ["changed"])
            // It is no longer expected.
            store.send(.increment)
            await server.wait(forEvents: 3)
            #expect(actions().last?["cause"] == nil)
        }

        @Test("If a middleware dispatches another action first, the answer is for the pushed one")
        func before() async throws {
            let store = store
            store.track.connect(dispatch: {
                store.send(.todos(.add(title: "loading")))
                store.send($0)
                store.send($0)
            })
            #expect(await server.push("p", .action(["type": "increment"])) == .played(seq: 2))
            await server.wait(forEvents: 4)
            #expect(actions().map { $0["cause"] } == [["push": "p"], ["push": "p"], nil])
        }

        @Test("An equal action of the app on another thread does not get a pushed one's cause")
        func equal() async throws {
            let store = store
            // From here on the recorder knows that the store reduces on the dispatching thread.
            #expect(await server.push("first", .action(["type": "increment"])) == .played(seq: 1))
            store.track.connect(dispatch: { action in
                let (track, done) = (store.track, DispatchSemaphore(value: 0))
                Thread.detachNewThread {
                    var state = TestState()
                    track.record(.increment, &state) { $0.count += 1 }
                    done.signal()
                }
                done.wait()
                store.send(action)
            })
            #expect(await server.push("second", .action(["type": "increment"])) == .played(seq: 3))
            #expect(actions().map { $0["cause"] } == [["push": "first"], nil, ["push": "second"]])
        }

        @Test("An action that is reduced later on another thread is answered, and named as the cause")
        func elsewhere() async throws {
            let store = store
            store.track.connect(dispatch: { action in Task { store.send(action) } })
            for number in 1...3 {
                #expect(await server.push("\(number)", .action(["type": "increment"])) == .played(seq: number))
            }
            #expect(actions().map { $0["cause"]?["push"]?.string } == ["1", "2", "3"])
        }

        @Test("Without decoding: the answer says what is missing, and the actions are recorded as they are encoded")
        func withoutTypes() async throws {
            let track = tape.track(reflecting: .actions, initial: TestState(), (any ReSwift.Action).self, name: "types")
            track.connect(dispatch: { _ in })
            var state = track.start
            track.record(Renamed(text: "a"), &state) { $0.count += 1 }
            await server.wait { $0.events.contains { $0.store == "types" && $0.kind == .action } }
            let event = try #require(actions().last)
            #expect(event["action"] == ["type": "PushedActionTests.Renamed", "payload": ["new_text": "a"]])
            guard case .failed(let failure) = await server.push("p", store: "types", .action(event["action"] ?? .null))
            else {
                throw FormatError("it was played")
            }
            #expect(failure.code == .decode && failure.message.contains("decoding:"))
        }

        struct Renamed: ReSwift.Action, Codable {
            let text: String
            enum CodingKeys: String, CodingKey { case text = "new_text" }
        }
    }
#endif
