import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct RequestBodyTests {
    private static let session = TestServer.session

    /// Every endpoint with a body, with a valid body's members.
    private static let bodies: [(method: String, path: String, members: [(String, JSON)])] = [
        ("PATCH", session, [("title", "x"), ("labels", ["a": "b"]), ("kept", true)]),
        ("POST", session + "/bookmarks", [("seq", 1), ("text", "x"), ("author", "x")]),
        ("POST", session + "/push", [("seq", 1), ("store", "main")]),
        ("POST", session + "/control", [("recording", true), ("locked", false), ("queue", "replay")]),
        (
            "PUT", "/api/v1/start-states",
            [("app", "x"), ("device", "x"), ("labels", ["a": "b"]), ("mode", "latest"), ("once", true)]
        ),
        ("PUT", "/api/v1/start-states", [("app", "x"), ("session", "x"), ("seq", 1)]),
        ("PATCH", "/api/v1/devices/phone", [("nickname", "x")]),
        ("POST", "/api/v1/prune", [("keepDays", 1), ("all", true), ("only", ["x"]), ("dryRun", true)]),
        ("POST", "/api/v1/prune", [("maxSize", 0), ("dryRun", true)]),
        ("POST", "/api/v1/login", [("token", "x")]),
    ]

    /// One value of each JSON type, and texts and lists that are too long.
    private static let values: [JSON] = [
        true, 1, 1.5, -1, "1", "true", [], [1], [:], ["a": 1], .string(String(repeating: "x", count: 1 << 20)),
        .object(JSON.Object((0..<101).map { ("k\($0)", "") })),
        ["a": .string(String(repeating: "x", count: 9_000))],
    ]

    private static func isSameType(_ one: JSON, _ other: JSON) -> Bool {
        switch (one, other) {
        case (.bool, .bool), (.string, .string): other.bytes.count < 100
        case (.number, .number): other.int.map { $0 >= 0 } ?? false
        case (.array, .array): other.array?.allSatisfy { $0.string != nil } ?? false
        case (.object, .object):
            other.bytes.count < 100 && other.object?.allSatisfy { $0.value.string != nil } ?? false
        default: false
        }
    }

    @Test("A member of another type, or one that is too long, is 422 at every endpoint and changes nothing")
    func types() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        let before = try await server.http.get(Self.session).json()
        for (method, path, members) in Self.bodies {
            for (index, (name, right)) in members.enumerated() {
                for value in Self.values where !Self.isSameType(right, value) {
                    // Only the body's size limits what a push contains and a list of sessions.
                    if name == "only", value == [] { continue }
                    var changed = members
                    changed[index].1 = value
                    let body = JSON.object(JSON.Object(changed))
                    let answer = try await server.http.send(method, path, body: body)
                    // Without a token, a body this long is not allowed.
                    if path == "/api/v1/login", body.bytes.count > 1 << 14 {
                        #expect(answer.status == 413 && answer.text.contains("16384 bytes"))
                        continue
                    }
                    #expect(answer.status == 422, "\(method) \(path) \(name): \(answer.status) \(answer.text)")
                    #expect(answer.text.contains("“\(name)”") || name == "labels" || name == "mode")
                }
            }
        }
        #expect(try await server.http.get(Self.session).json() == before)
        #expect(try await server.http.get("/api/v1/start-states").json()["startStates"] == [])
        app.close()
    }

    @Test("A body that is not an object, or has an unknown member, is 422; one that is not JSON is 400")
    func shape() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        for (method, path, members) in Self.bodies {
            let bodies: [JSON] = [
                [], .null, 1, "x", true, .object(JSON.Object(members + [("tyop", true)])),
                .object(JSON.Object([("DryRun", true)] + members)),
            ]
            for body in bodies {
                let answer = try await server.http.send(method, path, body: body)
                #expect(answer.status == 422 && answer.code == "bad-body", "\(method) \(path) \(body.text)")
            }
            let twice = Array("{\"\(members[0].0)\":1,\"\(members[0].0)\":1}".utf8)
            for bytes in [[], Array("{".utf8), twice, [0xff]] {
                let answer = try await server.http.send(method, path, bytes: bytes)
                #expect(answer.status == 400 && answer.code == "bad-json", "\(method) \(path)")
            }
        }
        app.close()
    }

    @Test("A prune request with “true” as a string is refused")
    func prune() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        app.close()
        _ = await app.closed()
        let body: JSON = ["maxSize": 0, "all": true, "dryRun": "true"]
        #expect(try await server.http.send("POST", "/api/v1/prune", body: body).status == 422)
        #expect(try await server.http.get(Self.session).status == 200)
    }

    @Test("Labels that make a header too long for a tape are refused, in edits and uploads")
    func labels() async throws {
        let server = try TestServer()
        var header = Sample.header()
        header.labels = ["note": String(repeating: "x", count: 10_000)]
        let tape = header.json.bytes + [10]
        let long = String(repeating: "y", count: 7_000)
        let query = "/api/v1/sessions?label=long:\(long)"
        #expect(try await server.http.send("POST", query, bytes: tape).status == 422)
        #expect(try await server.http.send("POST", "/api/v1/sessions", bytes: tape).status == 201)
        #expect(try await server.http.send("POST", query, bytes: tape).status == 422)
        let edited = try await server.http.send("PATCH", Self.session, body: ["labels": ["long": .string(long)]])
        #expect(edited.status == 200)
    }
}
