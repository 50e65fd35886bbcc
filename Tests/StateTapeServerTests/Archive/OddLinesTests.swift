import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// STATETAPE_FUZZ multiplies the number of cases.
@Suite(.timeLimit(.minutes(5))) struct OddLinesTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let times = environment["STATETAPE_FUZZ"].flatMap(UInt64.init) ?? 1
    private static let first = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1

    @Test("All lines that the format allows are stored unchanged, and their heads match")
    func heads() throws {
        for seed in Self.first..<(Self.first + 40 * Self.times) {
            var odd = OddLines(seed)
            let archive = try TestArchive()
            // Some are sealed, some are sealed after a restart that knows the names only from the archive, some are
            // not.
            var all: [EventLine] = []
            for part in 0..<3 {
                let lines = (0..<80).map { _ in odd.line() }
                all += lines
                let session = try archive.record(lines, batches: 30)
                if part < 2 { try archive.seal(session) }
            }
            let session = try #require(try archive.archive.session(Sample.header().session))
            let name: Comment = "STATETAPE_SEED=\(seed)"
            #expect(try archive.problems() == [], name)
            var found: [[UInt8]] = []
            var heads: [[UInt8]] = []
            try archive.tapes[session].each(in: 0..<session.next) { line in
                found.append(line.bytes)
                return true
            }
            var scan = archive.scan(session)
            try scan.run { head, _ in
                heads.append([])
                head.write(to: &heads[heads.count - 1])
                return true
            }
            #expect(SentTape(header: session.header, lines: all).fault(in: found) == nil, name)
            for (line, head) in zip(all, heads) {
                let parsed = try JSON(parsing: head)
                #expect(parsed["seq"]?.int == line.seq && parsed["store"] == .string(line.store), name)
                #expect(parsed["event"] == .string(line.kind.name) && parsed["type"]?.string == line.type, name)
            }
            #expect(heads.count == all.count, name)
            // Every store's state can be read after every event.
            for store in try archive.archive.stores(of: session.row, upTo: session.next) {
                for seq in [0, session.next / 2, session.next - 1, session.next + 5] {
                    _ = try archive.states.state(of: archive.tapes[session], store: store, after: seq)
                }
            }
        }
    }
}
