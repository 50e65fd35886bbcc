import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite struct HeadColumnsTests {
    private let lines = [
        Sample.start(0), Sample.count(1, to: 7), Sample.action(2, type: "e\u{301}", ("skipped", true)),
        Sample.action(3, store: "detail", type: "é", ("state", ["text": "long"])), Sample.gap(9, count: 6),
        EventLine(seq: 10, at: 3.125, kind: .note, members: [("text", "clock went back"), ("level", "warning")]),
        EventLine(
            seq: 11, at: 3.5, kind: .action,
            members: [
                ("action", ["type": "é"]), ("patch", [["op": "remove", "path": "/n"]]), ("took", 0.25),
                ("cause", ["push": "p1"]), ("dispatch", 4),
            ]),
        EventLine(seq: 12, at: 4, kind: .other("checkpoint")), Sample.end(13),
    ]

    @Test("Heads are decoded from columns unchanged")
    func roundTrip() throws {
        let heads = lines.map { EventHead($0) }
        var names = NameNumbers(["main"])
        let columns = HeadColumns.encode(heads) { names.number(of: $0) }
        let (new, first) = names.takeNew()
        #expect(first == 1 && new.count == 5)
        let decoded = try HeadColumns.decode(columns, names: ["main"] + new)
        #expect(decoded.map(\.text) == heads.map(\.text))
        #expect(decoded.map(\.first) == heads.map(\.first))
        #expect(decoded[6].took == 250 && decoded[6]["cause"]?["push"] == "p1")
    }

    @Test("Truncated columns, or columns with unknown names, are an error")
    func damaged() {
        var names = NameNumbers([])
        let columns = HeadColumns.encode(lines.map { EventHead($0) }) { names.number(of: $0) }
        let all = names.takeNew().names
        for count in columns.indices {
            #expect(throws: HeadColumns.Failure.self) {
                _ = try HeadColumns.decode(Array(columns[..<count]), names: all)
            }
        }
        #expect(throws: HeadColumns.Failure.self) { _ = try HeadColumns.decode(columns, names: all.dropLast()) }
    }
}

extension EventHead {
    fileprivate var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
