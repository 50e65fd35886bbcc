import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite struct TapeDifferenceTests {
    /// Two sessions in an archive of their own. Sealed sessions, whose bytes are compared before lines are parsed,
    /// have the same first difference.
    private func diff(_ left: [EventLine], _ right: [EventLine]) throws -> (TapeDifference.First?, TapeDifference) {
        let archive = try TestArchive()
        func find() throws -> (TapeDifference.First?, TapeDifference) {
            let names = ["LEFT-SESSION", "RIGHT-SESSION"]
            let sessions = try names.compactMap { try archive.archive.session($0) }
            var diff = TapeDifference(archive.tapes[sessions[0]], archive.tapes[sessions[1]], archive.states)
            return (try diff.run(), diff)
        }
        let sessions = [
            try archive.record(left, Sample.header("LEFT-SESSION")),
            try archive.record(right, Sample.header("RIGHT-SESSION")),
        ]
        let open = try find()
        for session in sessions { try archive.seal(session) }
        let sealed = try find()
        #expect(open.0?.kind == sealed.0?.kind && open.0?.left?.bytes == sealed.0?.left?.bytes)
        #expect(open.0?.right?.bytes == sealed.0?.right?.bytes)
        #expect(open.1.compared == sealed.1.compared && open.1.unknown == sealed.1.unknown)
        return sealed
    }

    /// The first difference, as `kind left right`; `same` if there is none.
    private func parting(_ left: [EventLine], _ right: [EventLine]) throws -> String {
        guard let parting = try diff(left, right).0 else { return "same" }
        func seq(_ line: EventLine?) -> String { line.map { String($0.seq) } ?? "-" }
        return "\(parting.kind.rawValue) \(seq(parting.left)) \(seq(parting.right))"
    }

    /// The same line with other times, call site and dispatch number.
    private func later(_ line: EventLine) throws -> EventLine {
        var object = try JSON(parsing: line.bytes).object ?? JSON.Object()
        object["at"] = .number(.init(line.at.double + 0.5) ?? .init(0))
        if line.kind == .action {
            object["took"] = 12
            object["caller"] = "App/Other.swift:7"
            object["dispatch"] = 9
        }
        return try EventLine(parsing: JSON.object(object).bytes)
    }

    @Test("Times, call sites, dispatch numbers, notes and the end are not differences")
    func same() throws {
        let lines = Sample.counting(to: 300)
        #expect(try parting(lines, lines.map(later)) == "same")
        let note = EventLine(seq: 300, at: 300, kind: .note, members: [("text", "x")])
        #expect(try parting(lines, lines.map(later) + [note, Sample.end(301)]) == "same")
        #expect(try diff(lines, lines).1.compared == 300)
        #expect(try parting([], []) == "same")
    }

    @Test("The first difference is an action, a state, or the end of one session")
    func firstDifference() throws {
        let lines = Sample.counting(to: 300)
        var other = try lines.map(later)
        other[200] = Sample.count(200, to: 7)
        #expect(try parting(lines, other) == "state 200 200")
        other[100] = Sample.action(
            100, type: "counter/other", ("patch", [["op": "replace", "path": "/n", "value": 100]]))
        #expect(try parting(lines, other) == "action 100 100")
        other[50] = Sample.full(50, ["n": 50])
        #expect(try parting(lines, other) == "kind 50 50")
        #expect(try parting(lines, Array(lines[..<299])) == "ended 299 -")
        #expect(try parting(Array(lines[..<10]), lines) == "ended - 10")
        #expect(try parting([Sample.start(0, ["n": 1])], [Sample.start(0, ["n": 2])]) == "state 0 0")
    }

    @Test("Errors of reducers are compared, after the states")
    func errors() throws {
        let lines = Sample.counting(to: 300)
        var other = lines
        other[100] = lines[100].setting("error", to: "CartError.empty")
        #expect(try parting(lines, other) == "error 100 100")
        #expect(try parting(other, lines) == "error 100 100")
        #expect(try parting(other, other.map(later)) == "same")
        var third = other
        third[100] = lines[100].setting("error", to: "CartError.full")
        #expect(try parting(other, third) == "error 100 100")
        third[100] = Sample.count(100, to: 7).setting("error", to: "CartError.full")
        #expect(try parting(other, third) == "state 100 100")
    }

    @Test("The same state in another form is the same: numbers, order, another patch, a full state")
    func equal() throws {
        func patch(_ seq: Int, _ operations: JSON) -> EventLine { Sample.action(seq, ("patch", operations)) }
        let left = [
            Sample.start(0, ["a": 1.0, "b": [1, 2]]),
            patch(1, [["op": "replace", "path": "/a", "value": 2]]),
            patch(2, [["op": "add", "path": "/b/2", "value": 3]]),
            patch(3, [["op": "replace", "path": "/a", "value": 3]]),
            patch(4, [["op": "replace", "path": "/a", "value": "é"]]),
        ]
        let right = [
            Sample.start(0, ["b": [1, 2], "a": 1]),
            patch(1, [["value": 2.0, "op": "replace", "path": "/a"]]),
            patch(2, [["op": "replace", "path": "/b", "value": [1, 2, 3]]]),
            Sample.action(3, ("state", ["a": 3, "b": [1, 2, 3]])),
            patch(4, [["op": "replace", "path": "/a", "value": "e\u{301}"]]),
        ]
        #expect(try parting(Array(left[..<4]), Array(right[..<4])) == "same")
        #expect(try parting(left, right) == "state 4 4")
    }

    @Test("A state that one session lacks is counted, and compared again once both have one")
    func unknown() throws {
        let lines = Sample.counting(to: 6)
        var skipping = lines
        skipping[2] = Sample.action(2, ("skipped", true))
        let (parting, found) = try diff(lines, skipping)
        #expect(parting == nil && found.unknown == 1 && found.compared == 6)
        skipping[4] = Sample.count(4, to: 9)
        #expect(try self.parting(lines, skipping) == "state 4 4")
        // Broken from 2 to the next full state.
        var broken = lines
        broken[2] = Sample.action(2, ("patch", [["op": "remove", "path": "/none"]]))
        #expect(try diff(lines, broken).1.unknown == 4)
        let full = (Sample.full(6, ["n": 1]), Sample.full(6, ["n": 2]))
        #expect(try self.parting(lines + [full.0], broken + [full.1]) == "state 6 6")
        // Both states are unknown and the patches are the same: no difference is reported.
        #expect(try diff([Sample.count(0, to: 1)], [Sample.count(0, to: 1)]).1.unknown == 1)
    }

    @Test("Lines that differ only in escapes or spaces are parsed and compared")
    func words() throws {
        func line(_ text: String) throws -> EventLine { try EventLine(parsing: Array(text.utf8)) }
        let lines = try [
            Sample.start(0, ["n": 0]),
            line(
                #"{"seq":1,"at":1,"event":"action","action":{"type":"a"},"patch":[{"op":"replace","path":"/n","value":1}]}"#
            ),
            line(
                #"{"seq":2,"at":2,"event":"action","action":{"type":"a"},"patch":[{"op":"replace","path":"/n","value":2}]}"#
            ),
            line(#"{"seq":3,"at":3,"event":"action","action":{"type":"a"},"patch":[]}"#),
        ]
        let others = try [
            lines[0],
            line(
                #"{ "at":9, "seq":1, "event" : "action", "store":"main", "patch" : [{"op":"replace","path":"/n","value":1}], "action" : {"type":"a"}}"#
            ),
            line(
                #"{"seq":2,"at":2,"event":"action","action":{"type":"a"},"p\u0061tch":[{"op":"replace","path":"/n","value":2}]}"#
            ),
            line(
                #"{"seq":3,"at":3,"event":"action","action":{"type":"a"},"patch":[],"more":{"patch":[{"op":"none"}],"x":"}\"]"}}"#
            ),
        ]
        #expect(try parting(lines, others) == "same")
        let different = try line(
            #"{"seq":3,"at":3,"event":"action","action":{"type":"a"},"more":{"patch":[]},"patch":[{"op":"add","path":"/x","value":[]}]}"#
        )
        #expect(try parting(lines, others[..<3] + [different]) == "state 3 3")
    }

    @Test("Stores are compared separately, however their events are interleaved")
    func stores() throws {
        let left = [
            Sample.start(0), Sample.start(1, store: "side"), Sample.count(2, to: 1),
            Sample.count(3, to: 1, store: "side"), Sample.detach(4, store: "side"),
        ]
        let right = [
            Sample.start(0, store: "side"), Sample.count(1, to: 1, store: "side"), Sample.start(2),
            Sample.detach(3, store: "side"), Sample.count(4, to: 1),
        ]
        #expect(try parting(left, right) == "same")
        #expect(try parting(left + [Sample.count(5, to: 2)], right + [Sample.count(5, to: 3)]) == "state 5 5")
        #expect(try parting(left, Array(right[..<4])) == "ended 2 -")
        #expect(try parting(Array(left[..<4]), right) == "ended - 3")
    }

    @Test("A store that is missing or far away in the other session is reported as such")
    func order() throws {
        let left = [Sample.start(0, store: "side", ["n": 1])] + (1..<3_000).map { Sample.start($0, ["n": 1]) }
        let right = (0..<3_000).map { Sample.start($0, store: $0 == 2_999 ? "side" : "main", ["n": 1]) }
        #expect(try parting(left, right) == "same")
        let far = (0..<3_000).map { Sample.start($0, store: "far\($0 % 2)") }
        #expect(try parting(left, far) == "order 0 0")
    }

    @Test("The same gap in both sessions is skipped; a gap in one ends the comparison")
    func gaps() throws {
        let lines = Sample.counting(to: 5)
        let gap = Sample.gap(9, count: 5)
        let after = [Sample.full(10, ["n": 1]), Sample.count(11, to: 2)]
        #expect(try parting(lines + [gap] + after, lines + [gap] + after) == "same")
        // After the gap, patches can't be compared until a full state.
        let patches = [Sample.count(10, to: 1)]
        #expect(try diff(lines + [gap] + patches, lines + [gap] + patches).1.unknown == 1)
        #expect(try parting(lines + [gap], Sample.counting(to: 7)) == "gap 9 5")
        #expect(try parting(lines + [gap], lines) == "gap 9 -")
        #expect(try parting(lines + [gap] + after, lines + [Sample.gap(8, count: 4)]) == "gap 9 8")
        #expect(try parting(Sample.counting(to: 7), lines + [gap]) == "gap 5 9")
    }
}
