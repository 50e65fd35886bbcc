import Foundation
import StateTape
import StateTapeStore
import StateTapeTesting
import TapeFormat
import Testing

@testable import WaysExample

/// Each way of working, recorded, applied to, dispatched into, replayed and launched through a real server.
@MainActor @Suite("Each way with a real server", .timeLimit(.minutes(5)), .serialized)
struct TableTests {
    private let server: TapeServer
    private let recorder: Recorder

    init() throws {
        server = try TapeServer()
        recorder = server.recorder()
    }

    /// The main store's states on the tape, after `add(2)` and `ask()`.
    private static let states: [JSON] = [
        ["count": 0, "isAsking": false], ["count": 2, "isAsking": false], ["count": 2, "isAsking": true],
        ["count": 42, "isAsking": false],
    ]

    /// An app that has added 2 and then received 40, and its session.
    private func counted(_ way: CounterStyle) async throws -> (app: any CounterApp, session: String) {
        let app = way.app(recorder)
        app.add(2)
        app.ask()
        await app.reaches { $0.count == 42 }
        return (app, try await server.session(withEvents: way.events(4)))
    }

    /// The main store's events.
    private func mainEvents(_ session: String) async throws -> [JSON] {
        try await server.events(session).filter { ($0["store"]?.string ?? "main") == "main" }
    }

    @Test("The tape has each action, and the state after it", arguments: CounterStyle.allCases)
    func record(_ way: CounterStyle) async throws {
        let (app, session) = try await counted(way)
        let events = try await mainEvents(session)
        #expect(events.map { $0["event"]?.string } == ["init", "action", "action", "action"])
        #expect(events.dropFirst().map { $0["action"]?["type"]?.string } == way.types)
        var states: [JSON] = []
        for event in events {
            states.append(try await server.get("\(session)/states/\(event["seq"]?.int ?? -1)?store=main"))
        }
        #expect(states == Self.states)
        #expect(app.counter == Counter(count: 42))
    }

    @Test("A state from the page is in the app, which goes on from there", arguments: CounterStyle.allCases)
    func apply(_ way: CounterStyle) async throws {
        let (app, session) = try await counted(way)
        let state: JSON = ["count": 1_000, "isAsking": false]
        let answer = try await server.send("POST", session + "/push", ["state": state])
        let applied = app.counter
        app.add(1)
        let added = app.counter
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let tapes = try await server.tapes()
        #expect(applied == Counter(count: 1_000), "\(session)\n\(tapes)")
        #expect(added == Counter(count: 1_001))
    }

    @Test("An action from the page changes the state, and starts its work", arguments: CounterStyle.allCases)
    func dispatch(_ way: CounterStyle) async throws {
        let (app, session) = try await counted(way)
        let actions = try await mainEvents(session).compactMap { $0["action"] }
        #expect(try await server.send("POST", session + "/push", ["action": actions[0]]).status == 200)
        #expect(app.counter == Counter(count: 44))
        #expect(try await server.send("POST", session + "/push", ["action": actions[1]]).status == 200)
        if way.actionsStartWork {
            await app.reaches { $0 == Counter(count: 84) }
        } else {
            #expect(app.counter == Counter(count: 44, isAsking: true))
        }
    }

    @Test("The tape is a test of the reducer", arguments: CounterStyle.allCases)
    func replay(_ way: CounterStyle) async throws {
        let (_, session) = try await counted(way)
        let tape = try await server.download(session)
        way.verify(Replay(tape.path))
        withKnownIssue {
            way.verify(Replay(tape.path), adding: 1)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("/count: recorded 2, now 3") }
        }
    }

    @Test("A new run begins with the state that the page chose", arguments: CounterStyle.allCases)
    func launch(_ way: CounterStyle) async throws {
        let (_, session) = try await counted(way)
        let summary = try await server.get(session)
        let added = try #require(
            try await mainEvents(session).first { $0["action"] != nil }?["seq"])
        let start = JSON.object(
            .init([
                ("app", summary["app"]?["id"] ?? .null), ("session", summary["session"] ?? .null), ("seq", added),
            ]))
        let made = try await server.send("PUT", "/api/v1/start-states", start)
        #expect(made.status == 200, "\(String(decoding: made.body, as: UTF8.self))")
        #expect(recorder.finish(timeout: .seconds(20)))

        let app = way.app(server.recorder())
        #expect(app.counter == Counter(count: 2))
        app.add(3)
        #expect(app.counter == Counter(count: 5))
    }

    /// The columns of the table, so that none can be removed unnoticed.
    private static let columns = [Self.record, Self.apply, Self.dispatch, Self.replay, Self.launch]

    @Test("No hole: nine ways, each an app of its own, in five columns")
    func noHole() {
        let apps = Set(CounterStyle.allCases.map { String(describing: type(of: $0.app(recorder))) })
        #expect(apps.count * Self.columns.count == 45)
    }
}
