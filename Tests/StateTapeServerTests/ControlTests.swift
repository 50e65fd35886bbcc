import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct ControlTests {
    private func post(_ server: TestServer, _ body: JSON) async throws -> HTTPClient.Response {
        try await server.http.send(
            "POST", "/api/v1/sessions/\(Sample.header().session)/control", body: body)
    }

    private func control(_ peer: TestPeer) async throws -> Control {
        try await peer.line { (line: ServerLine) in if case .control(let control) = line { control } else { nil } }
    }

    @Test("The app gets the order to pause and lock, and the summary shows both")
    func orders() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        #expect(try await post(server, ["locked": true]).json() == ["recording": true, "locked": true])
        #expect(try await control(app) == Control(locked: true))
        #expect(try await post(server, ["recording": false]).json() == ["recording": false, "locked": true])
        #expect(try await control(app) == Control(recording: false))
        let summary = try await server.http.get("/api/v1/sessions/\(Sample.header().session)").json()
        #expect(summary["recording"] == false && summary["locked"] == true)
        let unlock: JSON = ["locked": false, "queue": "discard"]
        #expect(try await post(server, unlock).json() == ["recording": false, "locked": false])
        #expect(try await control(app) == Control(locked: false, queue: .discard))
        app.close()
    }

    @Test("The viewers are told that a lock has ended by itself")
    func lockEnd() async throws {
        let server = try TestServer { $0.timing.lock = .seconds(1) }
        let app = try await server.recorded(Sample.counting(to: 2))
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        _ = try await viewer.summary()
        _ = try await post(server, ["locked": true])
        _ = try await viewer.summary { $0["locked"] == true }
        _ = try await viewer.summary { $0["locked"] == false }
        app.close()
    }

    @Test("A pause outlives the connection, a lock does not")
    func reconnected() async throws {
        let server = try TestServer()
        let first = try await server.recorded(Sample.counting(to: 2))
        _ = try await post(server, ["recording": false, "locked": true])
        let second = await server.app(Sample.hello(next: 2))
        let welcome = try await second.welcome()
        #expect(!welcome.recording && !welcome.locked)
        let summary = try await server.http.get("/api/v1/sessions/\(Sample.header().session)").json()
        #expect(summary["recording"] == false && summary["locked"] == false)
        first.close()
        second.close()
    }

    @Test("An empty order is refused, and so is an order for an app that isn't connected")
    func refused() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        for body: JSON in [[:], ["locked": 1], ["locked": false], ["locked": false, "queue": "later"]] {
            #expect(try await post(server, body).status == 422)
        }
        app.close()
        _ = await app.closed()
        let answer = try await post(server, ["locked": true])
        #expect(answer.status == 409)
        #expect(try answer.json()["code"] == "not-connected")
    }
}
