import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeEngine

@Suite struct EventListTests {
    @Test("A head has sizes in place of payload, patch and state")
    func heads() {
        let action = Sample.action(
            12, type: "todos/add",
            (
                "patch",
                [
                    ["op": "replace", "path": "/a", "value": 1], ["op": "remove", "path": "/b"],
                    ["op": "remove", "path": "/c"], ["op": "remove", "path": "/d"],
                ]
            ))
        #expect(
            headJSON(action) == [
                "seq": 12, "at": 12, "event": "action", "store": "main", "type": "todos/add",
                "bytes": .number(.init(action.bytes.count)), "patch": .number(.init(action.size("patch") ?? 0)),
                "ops": 4, "paths": ["/a", "/b", "/c"],
            ])
        let moved = Sample.action(1, ("patch", [["op": "move", "from": "/a", "path": "/b"]]))
        #expect(headJSON(moved)["moves"] == true && headJSON(moved)["paths"] == ["/b"])
        let large = Sample.action(
            1, ("patch", [["op": "add", "path": "/a", "value": .string(String(repeating: "x", count: 5_000))]]))
        #expect(headJSON(large)["ops"] == nil)
        #expect(headJSON(Sample.start(0))["state"] == 7)
        #expect(headJSON(Sample.action(1, ("skipped", true)))["skipped"] == true)
        let gap = headJSON(Sample.gap(9, count: 3))
        #expect(gap["count"] == 3 && gap["reason"] == "memory")
        let note = EventLine(
            seq: 1, at: 1, kind: .note, members: [("text", .string(String(repeating: "é", count: 500)))])
        #expect(headJSON(note)["text"]?.string?.count == 120)
    }

    private func headJSON(_ line: EventLine) -> JSON {
        var bytes: [UInt8] = []
        EventHead(line).write(to: &bytes)
        return (try? JSON(parsing: bytes)) ?? .null
    }
}
