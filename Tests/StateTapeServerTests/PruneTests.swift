import Foundation
import GRDB
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1)), .enabled(if: Engine.isSQLite)) struct PruneTests {
    /// A server with three sessions, all inactive for a long time; the last one is live.
    private func aged(_ edit: (inout StateTapeServer.Configuration) -> Void = { _ in }) async throws -> TestServer {
        let server = try TestServer(in: TemporaryFolder(), edit)
        for number in 0..<3 {
            let app = try await server.recorded(
                Sample.counting(to: 3), Sample.hello(Sample.header("SESSION-000\(number)")))
            if number == 2 { continue }
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watchSessions.bytes])
            _ = try await viewer.summary { $0["session"]?.string == "SESSION-000\(number)" }
            app.close()
            _ = try await viewer.summary { $0["live"] == false }
        }
        return server
    }

    private func age(_ server: TestServer) async throws {
        let file = server.folder.url.appendingPathComponent("archive.sqlite").path
        var configuration = GRDB.Configuration()
        // The server writes at the same time.
        configuration.busyMode = .timeout(10)
        try await DatabaseQueue(path: file, configuration: configuration).write { db in
            try db.execute(sql: "UPDATE session SET lastSeen = row")
        }
    }

    private func ids(_ server: TestServer) async throws -> [String] {
        let list = try await server.http.get("/api/v1/sessions").json()
        return list["sessions"]?.array?.compactMap { $0["session"]?.string } ?? []
    }

    @Test("A running server deletes sessions that have become too old, and notifies pages")
    func byItself() async throws {
        let server = try await aged {
            $0.retention.keepDays = 1
            $0.timing.retention = .milliseconds(20)
        }
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        _ = try await viewer.summary()
        #expect(try await ids(server).count == 3)
        try await age(server)
        var gone: Set<String> = []
        while gone.count < 2 {
            gone.insert(try await viewer.summary { $0["deleted"] == true }["session"]?.string ?? "")
        }
        #expect(gone == ["SESSION-0000", "SESSION-0001"])
        #expect(try await ids(server) == ["SESSION-0002"])
    }

    @Test("The newest session of an app is spared, unless `all` is set")
    func newest() async throws {
        let server = try TestServer()
        for number in 0..<3 {
            let app = try await server.recorded(
                Sample.counting(to: 3), Sample.hello(Sample.header("SESSION-000\(number)")))
            app.close()
            try await server.until { try await $0.get("/api/v1/sessions?live=true").json()["sessions"] == [] }
        }
        func prune(_ body: JSON) async throws -> [String?] {
            try await server.http.send("POST", "/api/v1/prune", body: body).json()["sessions"]?.array?
                .map { $0["session"]?.string } ?? []
        }
        #expect(try await prune(["maxSize": 0, "only": ["SESSION-0001"]]) == ["SESSION-0001"])
        #expect(try await prune(["maxSize": 0]) == ["SESSION-0000"])
        #expect(try await prune(["maxSize": 0]) == [])
        #expect(try await prune(["maxSize": 0, "all": true]) == ["SESSION-0002"])
    }

    @Test("Pruning lists the sessions with reasons, and deletes them unless it is a dry run")
    func prune() async throws {
        let server = try await aged()
        try await age(server)
        func prune(_ body: JSON) async throws -> HTTPClient.Response {
            try await server.http.send("POST", "/api/v1/prune", body: body)
        }
        let none = try await prune(["keepDays": 1, "only": ["SESSION-0002", "SESSION-none"]]).json()
        #expect(none["sessions"] == [] && none["bytes"] == 0)
        let planned = try await prune(["keepDays": 1, "dryRun": true]).json()
        let sessions = try #require(planned["sessions"]?.array)
        #expect(sessions.map { $0["session"]?.string } == ["SESSION-0000", "SESSION-0001"])
        #expect(sessions.allSatisfy { $0["reason"] == "age" && $0["events"] == 3 && $0["bytes"]?.int ?? 0 > 300 })
        #expect(planned["bytes"]?.int == sessions.reduce(0) { $0 + ($1["bytes"]?.int ?? 0) })
        #expect(try await ids(server).count == 3)
        // The sealer compresses the others in the meantime, so their size may have changed.
        func named(_ sessions: [JSON]) -> [[JSON?]] {
            sessions.map { [$0["session"], $0["reason"], $0["events"]] }
        }
        let pruned = try await prune(["keepDays": 1]).json()["sessions"]?.array ?? []
        #expect(named(pruned) == named(sessions))
        #expect(try await ids(server) == ["SESSION-0002"])
        #expect(try await prune(["maxSize": 0]).json()["sessions"]?.array?.isEmpty == true)
        let bad: [JSON] = [[:], ["keepDays": 0], ["keepDays": "1"], ["maxSize": -1], ["dryRun": true]]
        for body in bad { #expect(try await prune(body).code == "bad-body") }
    }
}
