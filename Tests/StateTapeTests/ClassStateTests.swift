import Foundation
import TapeFormat
import Testing

@testable import StateTape

#if os(Linux) && canImport(TapeSockets)
    import TapeSockets

    @Suite("States that hold class instances", .timeLimit(.minutes(1)))
    struct ClassStateTests {
        final class Counter: Codable, @unchecked Sendable {
            var count = 0
            var text = String(repeating: "long text ", count: 10)
        }

        struct State: Codable {
            var counter = Counter()
            var version = 0
        }

        final class Order: Codable, @unchecked Sendable {
            var by = 1
        }

        enum Action: Codable {
            case add(Order)
        }

        /// The note that the states are encoded whole, if they are not always.
        private var noteCount: Int { comparesLayouts ? 1 : 0 }

        private func states(_ events: [EventLine]) throws -> [JSON] {
            var tree = JSON.null
            return try events.compactMap { event in
                if let state = event["state"] { tree = state }
                if let patch = event["patch"] { try Patch(patch).apply(to: &tree) }
                return event.kind == .note ? nil : tree
            }
        }

        @Test("The state after each action is the one at that moment, even if the instance changes later")
        func order() async throws {
            let server = try TestServer()
            let log = Locked<[String]>([])
            let tape = Recorder(.test(url: server.url) { line in log.withLock { $0.append(line) } })
            let track = tape.track(State(), Action.self)
            var state = track.start
            let order = Order()
            for _ in 0..<200 {
                track.record(.add(order), &state) { $0.counter.count += order.by }
                // The tape must not have a state or an action that the reducer never saw.
                order.by += 1
            }
            let events = await server.wait(forEvents: 201 + noteCount)
            let counts = try states(events).map { $0["counter"]?["count"]?.int }
            #expect(counts == [0] + (1...200).map { $0 * ($0 + 1) / 2 })
            let orders = events.filter { $0.kind == .action }.map { $0["action"]?["payload"]?["_0"]?["by"]?.int }
            #expect(orders == Array(1...200))
            let notes = events.filter { $0.kind == .note }.compactMap { $0["text"]?.string }
            #expect(notes.count == noteCount)
            #expect(log.withLock { $0.filter { $0.contains("is encoded whole where") }.count } == noteCount)
            // Only what changed is sent.
            #expect(events.last.map { $0.bytes.count } ?? 0 < 250)
            if let note = notes.first { #expect(note.contains("counter: Counter")) }
        }

        final class Meter: Codable, @unchecked Sendable {
            private let count = Locked(0)
            var encodings: Int { count.withLock { $0 } }
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                count.withLock { $0 += 1 }
                var container = encoder.singleValueContainer()
                try container.encode(0)
            }
        }

        struct Metered: Codable {
            var meter = Meter()
            var count = 0
        }

        /// Records through a store from before the recording ended, and through a new one.
        private func expectNoEncodings(
            _ track: Track<Metered, TestAction>, _ state: inout Metered, of tape: Recorder,
            _ location: SourceLocation = #_sourceLocation
        ) {
            let before = state.meter.encodings
            #expect(before > 0, sourceLocation: location)
            let late = tape.track(Metered(), TestAction.self, name: "late")
            var other = late.start
            for _ in 0..<3 {
                track.record(.increment, &state) { $0.count += 1 }
                track.set(&state) { $0.count += 1 }
                late.record(.increment, &other) { $0.count += 1 }
            }
            #expect(state.count >= 6 && other.count == 3, sourceLocation: location)
            #expect(state.meter.encodings == before, sourceLocation: location)
            #expect(other.meter.encodings == 0, sourceLocation: location)
        }

        @Test("A recording that has ended encodes no more states")
        func ended() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let track = tape.track(Metered(), TestAction.self)
            var state = track.start
            track.record(.increment, &state) { $0.count += 1 }
            #expect(tape.finish(timeout: .seconds(60)))
            expectNoEncodings(track, &state, of: tape)
        }

        @Test("A recording that the server has refused encodes no more states")
        func refused() async throws {
            let server = try TestServer()
            let ended = AsyncStream<Void>.makeStream()
            let tape = Recorder(
                .test(url: server.url) { message in
                    if message.hasPrefix("The server ended the recording") { ended.continuation.yield() }
                })
            let track = tape.track(Metered(), TestAction.self)
            var state = track.start
            await server.wait(forEvents: 1)
            server.state.connection?.close(code: CloseCode.notAuthorised.rawValue, reason: "")
            _ = await ended.stream.first { true }
            tape.settle()
            expectNoEncodings(track, &state, of: tape)
        }

        private protocol AnyAction {}
        private struct Add: AnyAction, Codable { var by: Int }
        private struct Reset: AnyAction {}
        private struct Sum { var total = 0 }

        @Test("A state without Codable works with actions of many types, which can be pushed")
        @MainActor func uncodedState() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let track = tape.track(reflecting: .state, initial: Sum(), (any AnyAction).self, decoding: [Add.self])
            var state = track.start
            func send(_ action: any AnyAction) {
                track.record(action, &state) {
                    $0.total = (action as? Add).map { [total = $0.total] in total + $0.by } ?? 0
                }
            }
            track.connect(dispatch: { send($0) })
            send(Add(by: 2))
            let pushed = await server.push("a", .action(["type": "Add", "payload": ["by": 3]]))
            #expect(pushed == .played(seq: 2))
            send(Reset())
            let events = await server.wait(forEvents: 4)
            #expect(try states(events).map { $0["total"] } == [0, 2, 5, 0])
            #expect(events[3]["action"]?["type"] == "Reset")
        }

        @Test("Another thread may change instances as soon as the dispatch returns")
        func race() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let track = tape.track(State(), Action.self)
            var state = track.start
            let counter = state.counter
            let order = Order()
            for _ in 0..<50 {
                track.record(.add(order), &state) { $0.version += 1 }
                await Task.detached {
                    counter.count += 1
                    counter.text += "x"
                    order.by += 1
                }.value
            }
            let events = await server.wait(forEvents: 51 + noteCount)
            #expect(try states(events).last?["version"] == 50)
        }

        @Test("A trusted type is compared, not encoded on the dispatching thread")
        func trusted() async throws {
            struct Identity: Codable {
                final class Storage: Sendable {}
                var storage = Storage()
                init() {}
                init(from decoder: any Decoder) {}
                func encode(to encoder: any Encoder) { Self.isOnQueue.withLock { $0.append(Thread.isMainThread) } }
                static let isOnQueue = Locked<[Bool]>([])
            }
            struct Identified: Codable {
                var identity = Identity()
                var count = 0
            }
            let server = try TestServer()
            let log = Locked<[String]>([])
            let tape = Recorder(.test(url: server.url) { line in log.withLock { $0.append(line) } })
            tape.trust(Identity.self)
            let track = tape.track(Identified(), Action.self)
            var state = track.start
            track.record(.add(Order()), &state) { $0.count += 1 }
            track.record(.add(Order()), &state) { $0.count += 1 }
            let events = await server.wait(forEvents: 3)
            #expect(events[2]["patch"] == [["op": "replace", "path": "/count", "value": 2]])
            #expect(log.withLock { !$0.contains { $0.contains("class instances") } })
        }
    }
#endif
