import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Conformances that belong to an actor", .timeLimit(.minutes(1)))
struct IsolationTests {
    @MainActor struct Isolated: @MainActor Codable { var number = 0 }
    @MainActor final class Object: @MainActor Codable { var number = 0 }
    @MainActor enum Choice: @MainActor Codable { case none, some(Int) }
    struct Free: Codable { var number = 0 }
    struct Generic<Value> { var value: Value }

    @Test("They are detected, inside generic types too")
    @MainActor func told() {
        #expect(Conformance.isIsolated(Isolated.self))
        #expect(Conformance.isIsolated(Object.self))
        #expect(Conformance.isIsolated(Choice.self))
        #expect(Conformance.isIsolated([Isolated].self))
        #expect(Conformance.isIsolated([String: [Choice?]].self))
        #expect(!Conformance.isIsolated(Free.self))
        #expect(!Conformance.isIsolated([String: Set<Int>].self))
        #expect(!Conformance.isIsolated(Optional<Date>.self))
    }

    @Test("States and actions are encoded on the dispatching thread")
    @MainActor func encoded() {
        let layouts = Layouts()
        let warning = AtOnce(Isolated.self, layouts)?.warning(store: "main", cost: "1 ms")
        #expect(warning?.contains("nonisolated") == true)
        #expect(!layouts.isAtOnce(Free.self))
        #expect(ActionCodec<Choice>().isLookedAt(layouts))
        #expect(!ActionCodec<Free>().isLookedAt(layouts))
        #expect(layouts.isAtOnce(Choice.self))
        #expect(!layouts.isAtOnce(Free.self))
    }

    #if os(Linux) && canImport(TapeSockets)
        // Where states are compared by their encoding, no conformance is looked at.
        @Test("They are decoded on the actor that called connect, and refused without an actor", .comparesLayouts)
        @MainActor func pushed() async throws {
            let server = try TestServer()
            let tape = Recorder(.test(url: server.url))
            let track = tape.track(Isolated(), Choice.self)
            var state = track.start
            track.connect(
                dispatch: { action in track.record(action, &state) { $0.number += 1 } },
                play: { state = $0 })
            func isPlayed(_ result: Pushed.Result?) -> Bool { if case .played? = result { true } else { false } }
            #expect(isPlayed(await server.push("a", .state(["number": 5]))))
            #expect(state.number == 5)
            #expect(isPlayed(await server.push("b", .action(["type": "some", "payload": ["_0": 1]]))))
            #expect(state.number == 6)
            // Without an actor.
            track.connect(play: { _ in }, isolation: nil)
            #expect(!isPlayed(await server.push("c", .state(["number": 7]))))
            #expect(state.number == 6)
        }
    #endif
}
