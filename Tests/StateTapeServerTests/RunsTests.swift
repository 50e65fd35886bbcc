import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite("The apps that statetape run keeps running", .timeLimit(.minutes(1)))
struct RunsTests {
    private func runs(_ viewer: TestPeer) async throws -> [JSON] {
        try await viewer.viewerLine { if case .runs(let runs) = $0 { runs } else { nil } }
    }

    @Test("A report, its app's answer and the end are sent to pages, and listed")
    func report() async throws {
        let server = try TestServer()
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        #expect(try await runs(viewer).isEmpty)
        let body: JSON = [
            "status": "failed", "changed": ["a.swift"],
            "errors": [["file": "a.swift", "line": 3, "column": 5, "text": "no"]],
        ]
        let answer = try await server.http.send("PUT", "/api/v1/runs/one", body: body)
        #expect(answer.status == 200)
        let failed = try #require(try await runs(viewer).first)
        #expect(failed["id"] == "one" && failed["status"] == "failed" && failed["errors"] == body["errors"])
        _ = try await server.http.send("PUT", "/api/v1/runs/one", body: ["status": "running"])
        #expect(try await runs(viewer).first?["status"] == "running")

        try await server.recorded(Sample.counting(to: 2)).close()
        let start: JSON = ["app": "com.example.todo", "session": .string(Sample.header().session), "seq": 1]
        _ = try await server.http.send("PUT", "/api/v1/start-states", body: start)
        let app = await server.app(Sample.hello(Sample.header("FRESH-00001", labels: ["run": "one"]), fresh: true))
        let id = try #require(try await app.welcome().start?.id)
        // The answer to another push is none of the run's.
        app.send([AppLine.pushed(Pushed(id: "p", result: .played(seq: 0, Adjustments(filled: ["/old"])))).bytes])
        app.send([AppLine.pushed(Pushed(id: id, result: .played(seq: 0, Adjustments(filled: ["/new"])))).bytes])
        #expect(try await runs(viewer).first?["filled"] == ["/new"])
        // A page that opens now gets it at once.
        let late = await server.viewer()
        late.send([ViewerRequest.watchSessions.bytes])
        #expect(try await runs(late).first?["filled"] == ["/new"])
        _ = try await server.http.send("PUT", "/api/v1/runs/one", body: ["status": "building"])
        let building = try #require(try await runs(viewer).first)
        #expect(building["status"] == "building" && building["filled"] == nil)

        #expect(try await server.http.send("DELETE", "/api/v1/runs/one").status == 204)
        #expect(try await runs(viewer).isEmpty)
        #expect(try await server.http.get("/api/v1/runs").json()["runs"] == [])
        #expect(try await server.http.send("DELETE", "/api/v1/runs/one").status == 404)
    }

    @Test("Bad reports are refused, and the oldest of too many runs is forgotten")
    func bounds() async throws {
        let server = try TestServer()
        let bad: [JSON] = [
            [:], ["status": "flying"], ["status": "failed", "errors": [["file": "a"]]],
            ["status": "failed", "errors": .array(Array(repeating: ["text": "x"], count: 101))],
            ["status": "building", "changed": [1]], ["status": "running", "seconds": "3"],
            ["status": "running", "more": 1], ["status": "failed", "errors": true],
        ]
        for body in bad {
            let answer = try await server.http.send("PUT", "/api/v1/runs/one", body: body)
            #expect(answer.status == 422, "\(body)")
        }
        #expect(
            try await server.http.send("PUT", "/api/v1/runs/a-b", body: ["status": "running"]).status == 422)
        for number in 0...Run.limit {
            _ = try await server.http.send("PUT", "/api/v1/runs/r\(number)", body: ["status": "running"])
        }
        let runs = try await server.http.get("/api/v1/runs").json()["runs"]?.array
        #expect(runs?.count == Run.limit && runs?.first?["id"] == "r1")
    }
}
