import Foundation
import StateTapeTesting
import TapeFormat
import Testing

@testable import WaysExample

@MainActor @Suite("Moves of a history on the tape", .timeLimit(.minutes(1))) struct HistoryCounterTests {
    @Test("A move is on the tape with its state, and the tape is still a test")
    func move() async throws {
        let server = try TapeServer()
        let app = HistoryCounter(server.recorder())
        for number in [1, 10, 100] { app.add(number) }
        app.stepBack()
        app.stepBack()
        app.stepForward()
        app.add(1_000)
        #expect(app.counter.count == 1_011)
        let session = try await server.session(withEvents: 8)
        var counts: [JSON?] = []
        for seq in 0..<8 { counts.append(try await server.get("\(session)/states/\(seq)")["count"]) }
        #expect(counts == [0, 1, 11, 111, 11, 1, 11, 1_011])
        let tape = try await server.download(session)
        Replay(tape.path).verify(Counter.self, CounterAction.self, reducer: reduceCounter)
    }

    @Test("A state from the page is a step that one can leave")
    func applied() async throws {
        let server = try TapeServer()
        let app = HistoryCounter(server.recorder())
        app.add(1)
        let session = try await server.session(withEvents: 2)
        let state: JSON = ["count": 7, "isAsking": false]
        #expect(try await server.send("POST", session + "/push", ["state": state]).status == 200)
        app.stepBack()
        #expect(app.counter.count == 1)
    }
}
