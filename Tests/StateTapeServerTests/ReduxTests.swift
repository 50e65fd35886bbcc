import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeEngine

@Suite("Redux DevTools files", .timeLimit(.minutes(1)))
struct ReduxTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    /// Uploads a file and returns the path of its session.
    private func upload(_ json: JSON, status: Int = 201) async throws -> String {
        let answer = try await server.http.send("POST", "/api/v1/sessions", bytes: json.bytes)
        #expect(answer.status == status, "\(answer.text)")
        return "/api/v1/sessions/" + (try answer.json()["session"]?.string ?? "")
    }

    private func events(_ path: String) async throws -> [JSON] {
        try await server.http.get(path + "/events").lines.map { try JSON(parsing: $0) }
    }

    private static func action(_ action: JSON, at time: Int) -> JSON {
        ["type": "PERFORM_ACTION", "action": action, "timestamp": .number(.init(time)), "stack": "x"]
    }

    private static let lifted: JSON = [
        "monitorState": [:],
        "actionsById": [
            "0": action(["type": "@@INIT"], at: 1_461_248_785_265),
            "1": action(["type": "INCREMENT", "payload": 2], at: 1_461_248_788_433),
            "3": action(["type": "RENAME", "name": "a", "meta": [:]], at: 1_461_248_788_500),
            "4": action(["type": "FAIL"], at: 1_461_248_789_000),
        ],
        "nextActionId": 5, "stagedActionIds": [0, 1, 3, 4], "skippedActionIds": [], "currentStateIndex": 3,
        "computedStates": [
            ["state": ["counter": 0, "long": "text that makes a patch shorter than the state"]],
            ["state": ["counter": 2, "long": "text that makes a patch shorter than the state"]],
            ["state": ["counter": 2, "name": "a"]],
            ["state": ["counter": 2, "name": "a"], "error": "Error: no"],
        ],
    ]

    @Test("The time to read a file grows linearly with its actions")
    func linear() throws {
        let count = 40_000
        let actions = (0..<count).map { #""\#($0)":{"action":{"type":"A","n":\#($0)},"timestamp":1}"# }
        // In another order than they are stored.
        let ids = (0..<count).reversed().map(String.init).joined(separator: ",")
        let text = #"{"actionsById":{\#(actions.joined(separator: ","))},"stagedActionIds":[\#(ids)]}"#
        let file = try #require(try ReduxFile(JSON(parsing: text), name: "redux-sample"))
        #expect(file.lines.count == count - 1 && file.lines.last?["action"]?["payload"]?["n"] == 0)
    }

    @Test("A lifted state becomes a tape with its actions, times and computed states")
    func liftedState() async throws {
        let path = try await upload(Self.lifted)
        let events = try await events(path)
        #expect(events.map { $0["event"]?.string } == ["init", "action", "action", "action"])
        #expect(events.map { $0["at"]?.int } == [0, 3_168, 3_235, 3_735])
        #expect(events[1]["action"] == ["type": "INCREMENT", "payload": 2])
        #expect(events[1]["patch"] == [["op": "replace", "path": "/counter", "value": 2]])
        #expect(events[2]["action"] == ["type": "RENAME", "payload": ["name": "a", "meta": [:]]])
        #expect(events[3]["patch"] == [] && events[3]["error"] == "Error: no")
        #expect(try await server.http.get(path + "/states/2").json() == ["counter": 2, "name": "a"])
        let summary = try await server.http.get(path).json()
        #expect(summary["started"] == "2016-04-21T14:26:25.265Z")
        // The same bytes give the same session.
        #expect(try await upload(Self.lifted, status: 200) == path)
    }

    @Test("Exports of the browser extension are read: actions alone, or a lifted state, as text inside JSON")
    func exported() async throws {
        let actions: JSON = [["type": "ADD", "payload": "x"], ["type": "ADD", "payload": "y"]]
        let path = try await upload([
            "payload": .string(actions.text), "preloadedState": #"{"items":[]}"#,
        ])
        let events = try await events(path)
        #expect(events.map { $0["event"]?.string } == ["init", "action", "action"])
        #expect(events[0]["state"] == ["items": []])
        #expect(events[2]["action"] == actions[1] && events[2]["skipped"] == true)
        let inside = try await upload(["payload": .string(Self.lifted.text)])
        #expect(try await self.events(inside).count == 4)
    }

    @Test("An impossible time is ignored", arguments: ["18446744073709551616", "-1", "1e300", "1e9999"])
    func badTime(_ time: String) async throws {
        let file = String(decoding: Self.lifted.bytes, as: UTF8.self)
            .replacingOccurrences(of: "1461248788433", with: time)
        let events = try await events(try await upload(JSON(parsing: file)))
        #expect(events.map { $0["at"]?.int } == [0, 0, 3_235, 3_735])
    }

    @Test("A session exported as a lifted state and imported again has the same actions and states")
    func roundTrip() async throws {
        let text = String(repeating: "long ", count: 20)
        let lines = [
            Sample.start(0, ["n": 0, "text": .string(text)]), Sample.count(1, to: 1),
            Sample.action(
                2, ("patch", [["op": "splice", "path": "/text", "at": 0, "remove": 4, "insert": "Short"]])),
            Sample.action(3, ("skipped", true)), Sample.full(4, ["n": 9]),
            Sample.count(5, to: 10).setting("error", to: "Declined"),
        ]
        _ = try await server.recorded(lines)
        let answer = try await server.http.get(TestServer.session + "/tape?format=redux-devtools")
        #expect(answer.headers["content-type"] == "application/json")
        let file = try answer.json()
        #expect(file["stagedActionIds"] == [0, 1, 2, 3, 4, 5] && file["nextActionId"] == 6)
        #expect(file["currentStateIndex"] == 5)
        #expect(file["committedState"] == ["n": 0, "text": .string(text)])
        #expect(file["computedStates"]?[2]?["state"]?["text"] == .string("Short" + text.dropFirst(4)))
        #expect(file["computedStates"]?[3]?["state"] == nil && file["computedStates"]?[3]?["error"] != nil)
        #expect(file["computedStates"]?[5] == ["state": ["n": 10], "error": "Declined"])
        #expect(file["actionsById"]?["1"]?["action"] == ["type": "counter/add", "payload": 1])
        // The header's start, plus 1 ms.
        #expect(file["actionsById"]?["1"]?["timestamp"] == 1_795_168_800_124)

        let path = try await upload(file)
        let events = try await events(path)
        #expect(events.map { $0["event"]?.string } == ["init", "action", "action", "action", "replace", "action"])
        #expect(events[4]["cause"] == ["set": true])
        for seq in [0, 1, 2, 4, 5] {
            let before = try await server.http.get(TestServer.session + "/states/\(seq)").json()
            #expect(try await server.http.get(path + "/states/\(seq)").json() == before, "\(seq)")
        }
    }

    @Test("A part starts with the state before it; with several stores, the request must choose one")
    func parts() async throws {
        let lines = [
            Sample.start(0, store: "a"), Sample.start(1, store: "b", ["n": 100]),
            Sample.count(2, to: 1, store: "a"), Sample.count(3, to: 101, store: "b"),
            Sample.count(4, to: 2, store: "a"),
        ]
        _ = try await server.recorded(lines)
        let path = TestServer.session + "/tape?format=redux-devtools"
        let unnamed = try await server.http.get(path)
        #expect(try unnamed.status == 400 && unnamed.json()["stores"] == ["a", "b"])
        let part = try await server.http.get(path + "&store=a&from=3&to=4").json()
        #expect(part["computedStates"] == [["state": ["n": 1]], ["state": ["n": 2]]])
        #expect(try await server.http.get(path + "&store=b").json()["currentStateIndex"] == 1)
        #expect(try await server.http.get(path + "&store=c").status == 404)
    }

    @Test("An export that is too large reports which part fits")
    func tooLarge() async throws {
        let lines = Sample.counting(to: ReduxExport.maxEvents + 50)
        _ = try await server.recorded(lines)
        let path = TestServer.session + "/tape?format=redux-devtools"
        let answer = try await server.http.get(path)
        #expect(answer.status == 413)
        #expect(try answer.json()["to"] == .number(.init(ReduxExport.maxEvents)))
        let part = try await server.http.get(path + "&to=\(ReduxExport.maxEvents)").json()
        #expect(part["computedStates"]?.array?.count == ReduxExport.maxEvents + 1)
    }
}
