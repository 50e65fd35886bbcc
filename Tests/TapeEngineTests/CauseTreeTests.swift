import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import TapeEngine

@Suite("Causes and effects", .timeLimit(.minutes(1))) struct CauseTreeTests {
    /// An action that another event started.
    private func action(_ seq: Int, cause: JSON? = nil) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .action,
            members: [("action", ["type": "a"]), ("patch", [])] + (cause.map { [("cause", $0)] } ?? []))
    }

    private func open(_ lines: [EventLine], from first: Int = 0) throws -> OpenedTape {
        var header = Sample.header().json.object ?? JSON.Object()
        if first > 0 { header["from"] = .number(.init(first)) }
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("tape")
        try Data(lines.reduce(into: JSON.object(header).bytes + [10]) { $0 += $1.bytes + [10] }).write(to: file)
        return try OpenedTape(FileHandle(forReadingFrom: file)) { _ in "" }
    }

    private func tree(_ tape: OpenedTape, of seq: Int) throws -> JSON {
        var tree = try CauseTree(tape, of: seq)
        var scan = EventScan(tape, from: seq + 1)
        try scan.run { head, _ in
            tree.take(head)
            return !tree.isFull
        }
        return .object(JSON.Object(tree.members(next: scan.isAtEnd ? nil : scan.next)))
    }

    private func seqs(_ heads: JSON?) -> [Int?] { heads?.array?.map { $0["seq"]?.int } ?? [] }

    @Test("An event has the chain of its causes from the root, and the tree of what it started")
    func both() throws {
        let causes: [JSON?] = [
            nil, nil, ["seq": 1], ["push": "p"], ["seq": 2, "by": "rule"], ["seq": 2], ["seq": 4], nil,
        ]
        let tape = try open(causes.enumerated().map { action($0, cause: $1) })
        let middle = try tree(tape, of: 4)
        #expect(seqs(middle["causes"]) == [1, 2] && middle["earlier"] == .null)
        #expect(seqs(middle["effects"]) == [6] && middle["count"] == 1 && middle["next"] == .null)
        let root = try tree(tape, of: 1)
        #expect(seqs(root["causes"]) == [] && seqs(root["effects"]) == [2, 4, 5, 6] && root["count"] == 4)
        #expect(root["effects"]?[1] == EventHead(action(4, cause: causes[4])).json)
        let none = try tree(tape, of: 7)
        #expect(seqs(none["causes"]) == [] && none["count"] == 0)
    }

    @Test(
        "An event is no cause of itself or of an earlier one, nor is anything but a whole number",
        arguments: [
            "3", "4", "9007199254740991", "9007199254740992", "1e400", "-1", "-0", "1.5", #""1""#, "null", "[1]",
            "1.00000000000000000000001", #"{"seq":1}"#,
        ])
    func odd(seq: String) throws {
        let cause = try JSON(parsing: Array(#"{"seq":\#(seq),"cause":{"seq":1}}"#.utf8))
        let tape = try open([action(0), action(1), action(2), action(3, cause: cause), action(4)])
        #expect(try tree(tape, of: 3)["causes"] == [] && tree(tape, of: 3)["earlier"] == .null)
        for seq in [1, 3, 4] { #expect(try tree(tape, of: seq)["count"] == 0) }
    }

    @Test("A number is a cause in any notation, and only in the event's own member", arguments: ["10", "10.0", "1e1"])
    func notations(seq: String) throws {
        let cause = try JSON(parsing: Array(#"{"seq":\#(seq)}"#.utf8))
        let nested = EventLine(
            seq: 12, at: 12, kind: .action,
            members: [("action", ["type": "a"]), ("patch", []), ("dispatch", ["cause": ["seq": 10]])])
        let tape = try open((0..<11).map { action($0) } + [action(11, cause: cause), nested])
        #expect(try seqs(tree(tape, of: 10)["effects"]) == [11])
        #expect(try seqs(tree(tape, of: 11)["causes"]) == [10])
    }

    @Test("A chain begins after an event that was dropped, or that isn't a part of the tape; a gap has their effects")
    func absent() throws {
        let lines = [action(5, cause: ["seq": 2]), Sample.gap(9, count: 4), action(10, cause: ["seq": 7])]
        let tape = try open(lines + [action(11, cause: ["seq": 10])], from: 5)
        #expect(try tree(tape, of: 5)["earlier"] == ["seq": 2, "recorded": false])
        let last = try tree(tape, of: 11)
        #expect(seqs(last["causes"]) == [10] && last["earlier"] == ["seq": 7, "recorded": false])
        let gap = try tree(tape, of: 8)
        #expect(gap["seq"] == 9 && gap["causes"] == [] && seqs(gap["effects"]) == [10, 11])
    }

    @Test("A long chain and a wide tree are cut, and the answer says where")
    func limits() throws {
        let chain = try open((0..<2_000).map { action($0, cause: $0 == 0 ? nil : ["seq": .number(.init($0 - 1))]) })
        let last = try tree(chain, of: 1_999)
        #expect(seqs(last["causes"]) == Array(1_999 - CauseTree.maxCauses..<1_999))
        #expect(last["earlier"] == ["seq": .number(.init(1_998 - CauseTree.maxCauses)), "recorded": true])
        let root = try tree(chain, of: 0)
        #expect(seqs(root["effects"]) == Array(1...CauseTree.maxEffects) && root["count"] == 1_999)

        var wide = try CauseTree(chain, of: 0)
        let effect = EventHead(action(1, cause: ["seq": 0]))
        for seq in 1...CauseTree.maxCounted + 5 where !wide.isFull {
            wide.take(
                EventHead(
                    seq: seq, count: 1, at: 0, kind: .action, store: "main", type: "a", bytes: 0, patch: nil,
                    state: nil, operations: nil, took: nil, rest: effect.rest))
        }
        let members = JSON.object(JSON.Object(wide.members(next: CauseTree.maxCounted + 1)))
        #expect(members["count"] == .number(.init(CauseTree.maxCounted)))
        #expect(members["effects"]?.array?.count == CauseTree.maxEffects)
    }

    @Test("Large members end the lists early")
    func large() throws {
        let big = JSON.string(String(repeating: "x", count: 400_000))
        let tape = try open(
            (0..<12).map { action($0, cause: $0 == 0 ? nil : ["seq": .number(.init($0 - 1)), "by": big]) })
        let first = try tree(tape, of: 0)
        #expect(seqs(first["effects"]) == [1, 2, 3] && first["count"] == 11)
        let last = try tree(tape, of: 11)
        #expect(seqs(last["causes"]) == [8, 9, 10] && last["earlier"] == ["seq": 7, "recorded": true])
    }
}
