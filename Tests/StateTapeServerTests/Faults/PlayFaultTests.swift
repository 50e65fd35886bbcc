import StateTape
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

/// What can go wrong between the lock for time travel or a replay and its end.
@Suite("A failed time travel or replay unlocks the app at once", .timeLimit(.minutes(1)), .serialized)
struct PlayFaultTests {
    enum Operation: String, CaseIterable, Sendable { case travel, replay }

    enum PlayFault: String, CaseIterable, Sendable {
        /// `connect` has no `play:`.
        case noPlay
        /// `connect` has no `state:`, and the last state was not recorded.
        case noState
        /// The state's `init(from:)` throws.
        case undecodable
        /// The state is not Codable.
        case reflected
        /// The events are those of another app.
        case unknownStore
        /// The store is gone before the states are put back, and before the last action of a replay.
        case detached
        /// `play:` does not return.
        case stuck
        /// The server stops.
        case linkDrops

        /// Nothing: the store only can't be asked for its state.
        case blind

        static var allCases: [PlayFault] {
            [.noPlay, .noState, .undecodable, .reflected, .unknownStore, .detached, .stuck, .linkDrops]
        }

        /// Words of the answer, one of them.
        var reasons: [String] {
            switch self {
            case .noPlay: ["pass “play:” to connect"]
            case .noState: ["pass “state:” to connect"]
            case .undecodable: ["not today"]
            case .reflected: ["not Codable"]
            case .unknownStore: ["no store “main”", "none of the recorded stores"]
            case .detached: ["no store “app”"]
            case .stuck: ["did not answer", "did not begin"]
            case .linkDrops, .blind: []
            }
        }
    }

    /// Not a replay that is stuck: the app ends it after a minute without progress, since a debugger may have
    /// stopped the app in it.
    private static let rows = PlayFault.allCases.flatMap { fault in Operation.allCases.map { (fault, $0) } }
        .filter { $0 != (.stuck, .replay) }

    @Test("The answer says why, and the app's actions run on its own state", arguments: rows)
    func fault(_ fault: PlayFault, _ operation: Operation) async throws {
        let server = try TestServer { configuration in
            if fault == .stuck {
                (configuration.timing.push, configuration.timing.replay) = (.milliseconds(200), .milliseconds(200))
            }
        }
        let recorded = try await recording(fault, server)
        let app = FaultyApp(fault, server.server.port)
        defer { app.release() }
        for _ in 1...3 { app.act() }
        let session = try await session(withEvents: 4, of: "app", server)
        if fault == .detached, operation == .travel {
            #expect(try await start(.travel, session, in: session, server).status == 200)
            app.detach()
        }
        let answer = try await start(operation, recorded ?? session, in: session, server)
        if fault == .linkDrops {
            server.server.stop()
        } else {
            let reason =
                operation == .travel ? "\(answer.status): \(answer.text)" : try await outcome(session, server)
            #expect(answer.status >= 400 || operation == .replay)
            #expect(fault.reasons.contains { reason.contains($0) }, "\(reason)")
            #expect(try await server.http.get(session).json()["locked"] == false)
        }
        try await app.isUnlocked()
        if fault == .linkDrops { await app.has(3) }
        let count = app.count
        #expect(count == 3 || fault == .detached)
        app.act()
        await app.has(count + 1)
    }

    @Test(
        "A store without “state:” gets its own state back, although it holds an error",
        arguments: Operation.allCases)
    func withoutState(_ operation: Operation) async throws {
        let server = try TestServer()
        let app = FaultyApp(.blind, server.server.port)
        for _ in 1...3 { app.act() }
        let session = try await session(withEvents: 4, of: "app", server)
        let answer = try await start(operation, session, in: session, server)
        #expect(answer.status < 300, "\(answer.text)")
        switch operation {
        case .travel:
            #expect(app.count == 0)
            let unlock: JSON = ["locked": false, "queue": "replay"]
            _ = try await server.http.send("POST", session + "/control", body: unlock)
        case .replay: #expect(try await outcome(session, server).contains(#""status":"done""#))
        }
        await app.has(3)
        try await app.isUnlocked()
        #expect(app.hasError)
    }

    /// The session that the operation takes its events from, if it isn't that of the app.
    private func recording(_ fault: PlayFault, _ server: TestServer) async throws -> String? {
        guard fault == .unknownStore else { return nil }
        let other = Recorder(.test(url: "http://127.0.0.1:\(server.server.port)/"))
        let track = other.track(FaultyState(), FaultyAction.self, name: "main")
        var state = track.start
        for _ in 1...3 { track.record(.add, &state) { $0.count += 1 } }
        return try await session(withEvents: 4, of: "main", server)
    }

    /// The path of the session that has a store, once it has as many events.
    private func session(withEvents count: Int, of store: String, _ server: TestServer) async throws -> String {
        while true {
            try Task.checkCancellation()
            for summary in try await server.http.get("/api/v1/sessions").json()["sessions"]?.array ?? [] {
                guard let id = summary["session"]?.string, (summary["events"]?.int ?? 0) >= count else { continue }
                let path = "/api/v1/sessions/\(id)"
                let events = try await server.http.get(path + "/events").text
                if events.contains("\"store\":\"app\"") == (store == "app") { return path }
            }
        }
    }

    private func start(
        _ operation: Operation, _ recorded: String, in session: String, _ server: TestServer
    ) async throws -> HTTPClient.Response {
        let source = JSON.string(recorded.split(separator: "/").last.map(String.init) ?? "")
        let body: JSON =
            switch operation {
            case .travel: ["seq": 0, "session": source]
            case .replay: ["from": 1, "to": 3, "session": source]
            }
        return try await server.http.send("POST", "\(session)/\(operation.rawValue)", body: body)
    }

    /// The outcome of a replay in the running app.
    private func outcome(_ session: String, _ server: TestServer) async throws -> String {
        while true {
            try Task.checkCancellation()
            let loop = try await server.http.get(session).json()["loop"]
            if let status = loop?["status"]?.string, status != "running" { return (loop ?? .null).text }
        }
    }
}
