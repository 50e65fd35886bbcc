import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct PushTests {
    private let path = TestServer.session + "/push"

    private func played(_ push: Push, seq: Int, _ adjustments: Adjustments = Adjustments()) -> [UInt8] {
        AppLine.pushed(Pushed(id: push.id, result: .played(seq: seq, adjustments))).bytes
    }

    @Test("A pushed state reaches the app; the answer follows the commit of the resulting event")
    func state() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        async let answer = server.http.send("POST", path, body: ["store": "main", "state": ["n": 7]])
        let push = try await app.push()
        #expect(push.store == "main" && push.content == .state(["n": 7]) && push.expires == 60_000)
        let lost = Adjustments.Loss(path: "/kind", reason: "no case", instead: .initial)
        let secret = Adjustments.Loss(path: "/token", reason: "a secret", instead: .null, isSecret: true)
        let adjustments = Adjustments(
            filled: ["/theme"], ignored: ["/old"], kept: ["/draft"], lost: [lost, secret])
        app.send([Sample.full(1, ["n": 7]).bytes, played(push, seq: 1, adjustments)])
        let response = try await answer
        #expect(response.status == 200)
        #expect(
            try response.json() == [
                "seq": 1, "filled": ["/theme"], "ignored": ["/old"], "kept": ["/draft"],
                "lost": [
                    ["path": "/kind", "reason": "no case", "instead": "initial"],
                    ["path": "/token", "reason": "a secret", "instead": "nil", "secret": true],
                ],
            ])
        #expect(try await server.http.get(TestServer.session + "/states/1").text == #"{"n":7}"#)
    }

    @Test("Numbers of a pushed state reach the app unchanged")
    func numbers() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        async let answer = server.http.send(
            "POST", path, body: try JSON(parsing: #"{"state":{"id":12345678901234567890,"x":1.50}}"#))
        let push = try await app.push()
        guard case .state(let state) = push.content else { return #expect(Bool(false)) }
        #expect(state.text == #"{"id":12345678901234567890,"x":1.50}"#)
        app.send([Sample.full(1, 1).bytes, played(push, seq: 1)])
        #expect(try await answer.status == 200)
    }

    @Test("An action, and the state after an event, can be pushed as well")
    func others() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 4))
        async let action = server.http.send("POST", path, body: ["action": ["type": "counter/reset"]])
        let first = try await app.push()
        #expect(first.content == .action(["type": "counter/reset"]))
        app.send([Sample.count(4, to: 0).bytes, played(first, seq: 4)])
        #expect(try await action.status == 200)
        async let event = server.http.send("POST", path, body: ["seq": 2])
        let second = try await app.push()
        #expect(second.content == .state(["n": 2]))
        app.send([Sample.full(5, ["n": 2]).bytes, played(second, seq: 5)])
        #expect(try await event.json()["seq"] == 5)
    }

    @Test("The answer to an action has the error that the reducer threw")
    func threw() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        async let answer = server.http.send("POST", path, body: ["action": ["type": "pay"]])
        let push = try await app.push()
        let line = EventLine(
            seq: 1, at: 1, kind: .action,
            members: [("action", ["type": "pay"]), ("patch", []), ("error", "CartError.empty")])
        app.send([line.bytes, played(push, seq: 1)])
        let response = try await answer
        #expect(try response.status == 200 && response.json()["error"] == "CartError.empty")
    }

    @Test("An app has more time for a large state")
    func largeState() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        let text = String(repeating: "x", count: 3 << 20)
        async let answer = server.http.send("POST", path, body: ["state": ["text": .string(text)]])
        let push = try await app.push()
        #expect(push.expires.map { 63_000...63_100 ~= $0 } == true, "a second for each MiB")
        app.send([Sample.full(1, 1).bytes, played(push, seq: 1)])
        #expect(try await answer.status == 200)
    }

    @Test("The app's own error is passed on with its code, message and path")
    func failure() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        async let answer = server.http.send("POST", path, body: ["state": ["n": "seven"]])
        let push = try await app.push()
        let failure = Pushed.Failure(code: .decode, message: "expected Int", path: "/n")
        app.send([AppLine.pushed(Pushed(id: push.id, result: .failed(failure))).bytes])
        let response = try await answer
        let problem = try response.json()
        #expect(response.status == 422 && response.headers["content-type"] == "application/problem+json")
        #expect(problem["code"] == "decode" && problem["message"] == "expected Int" && problem["path"] == "/n")
    }

    @Test("A push without an answer in time is 504")
    func noAnswer() async throws {
        let server = try TestServer { $0.timing.push = .milliseconds(50) }
        _ = try await server.recorded([Sample.start(0)])
        let response = try await server.http.send("POST", path, body: ["state": 1])
        #expect(response.status == 504 && response.code == "no-answer")
    }

    @Test("A push to an app that disconnects before it answers is 502; to one that isn't connected, 409")
    func gone() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)])
        async let answer = server.http.send("POST", path, body: ["state": 1])
        _ = try await app.push()
        app.close()
        let lost = try await answer
        #expect(lost.status == 502 && lost.code == "connection-lost")
        _ = await app.closed()
        let gone = try await server.http.send("POST", path, body: ["state": 1])
        #expect(gone.status == 409 && gone.code == "not-connected")
    }

    @Test("A push that the app has answered is answered also if the app disconnects before the commit")
    func goneAfterAnswer() async throws {
        let server = try TestServer()
        for number in 10..<30 {
            let header = Sample.header("ROUND-000\(number)")
            let app = try await server.recorded([Sample.start(0)], Sample.hello(header))
            async let answer = server.http.send("POST", "/api/v1/sessions/\(header.session)/push", body: ["state": 1])
            let push = try await app.push()
            app.send([
                Sample.full(1, ["n": 1]).bytes, AppLine.pushed(Pushed(id: push.id, result: .played(seq: 1))).bytes,
            ])
            app.close()
            let played = try await answer
            #expect(played.status == 200, "\(played.text)")
        }
    }

    @Test("A push that is too long for the app is 413; a body with none of the three members is 422")
    func refused() async throws {
        let server = try TestServer()
        let app = try await server.recorded([Sample.start(0)], Sample.hello(maxMessage: 1_000))
        let long = JSON.string(String(repeating: "x", count: 2_000))
        #expect(try await server.http.send("POST", path, body: ["state": long]).status == 413)
        for body: JSON in [[:], ["state": 1, "seq": 0], ["action": 1], ["action": ["payload": 1]]] {
            #expect(try await server.http.send("POST", path, body: body).status == 422)
        }
        #expect(try await server.http.send("POST", path, body: ["seq": 1]).code == "event-absent")
        #expect(try await server.http.send("POST", path, body: ["seq": 0, "store": "no"]).code == "store-absent")
        #expect(try await server.http.send("POST", "/api/v1/sessions/NONE-000000/push", body: [:]).status == 404)
        app.close()
    }
}
