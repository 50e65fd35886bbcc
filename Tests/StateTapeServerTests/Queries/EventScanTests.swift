import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite struct EventScanTests {
    private static let filters: [[(String, String)]] = [
        [], [("type", "counter")], [("-type", "*/add")], [("store", "main"), ("store", "café")],
        [("-store", "detail"), ("q", "note")], [("q", "NOTE 3")], [("-q", "counter/add")], [("q", "none such")],
        [("re", #""value":\d{6}\b"#)], [("-re", "counter|state")], [("path", "/n")], [("-path", "/n")],
        [("path", "/none"), ("path", "/*")], [("value", "none"), ("value", "7")], [("value", "Ä")],
        [("level", "*")],
        [("bookmarked", "true")], [("bookmarked", "false"), ("q", "note")],
        [("path", "/none"), ("store", "main")], [("value", "7")], [("-value", "counter/add"), ("-q", "state")],
        [("q", "true"), ("type", "counter/add"), ("re", "true")], [("q", "gap")],
    ]

    private func filter(_ conditions: [(String, String)]) throws -> EventFilter {
        let query = conditions.map { (name: $0, value: $1) }
        return try Query(
            HTTPRequest(method: "GET", path: "/", query: query), "bookmarked", lists: EventFilter.names
        ).filter { [5, 39, 40] }
    }

    @Test("A scan finds the lines that match one by one, sealed or not, from any seq and in slices")
    func same() throws {
        var chance = Chance(11)
        var tape = RandomTape()
        let lines = (0..<400).map { _ in tape.next(&chance) }
        let archive = try TestArchive()
        let session = try archive.record(lines, batches: 40)
        let matches = try Self.filters.map { conditions in
            let filter = try filter(conditions)
            return try lines.filter { try filter.passes(EventHead($0)) ?? filter.passes($0.bytes[...]) }
        }
        for isSealed in [false, true] {
            if isSealed { try archive.seal(session) }
            for (conditions, expected) in zip(Self.filters, matches) {
                #expect(conditions.isEmpty || expected.count < lines.count)
                var found: [Int] = []
                var bytes: [[UInt8]] = []
                var scan = archive.scan(session, try filter(conditions))
                // The time of each other scan is over at once; the others end at a match.
                var isShort = false
                while !scan.isAtEnd {
                    isShort.toggle()
                    try scan.run(until: isShort ? .now : nil) { head, scan in
                        found.append(head.seq)
                        bytes.append(Array(try scan.line(head)))
                        return found.count % 7 != 0
                    }
                    scan = archive.scan(session, from: scan.next, try filter(conditions))
                }
                #expect(found == expected.map(\.seq) && bytes == expected.map(\.bytes), "\(conditions)")
            }
        }
    }

    @Test("A scan for text reads no heads of batches without the text")
    func skipped() throws {
        let archive = try TestArchive()
        let note = EventLine(seq: 3_000, at: 3_000, kind: .note, members: [("text", "Needle")])
        let session = try archive.record(Sample.counting(to: 3_000) + [note])
        var scan = archive.scan(session, try filter([("q", "needle")]))
        var found: [Int] = []
        try scan.run { head, _ in
            found.append(head.seq)
            return true
        }
        #expect(found == [3_000] && scan.looked < 1_100)
    }
}
