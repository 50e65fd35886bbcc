import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite struct RecentLinesTests {
    /// In a class, since `#expect` can't change a variable.
    private final class Recent {
        private var lines = RecentLines()

        func lines(of session: Int, at seq: Int) -> RecentLines.Parsed? { lines.lines(of: Int64(session), at: seq) }

        @discardableResult
        func keep(_ parsed: RecentLines.Parsed) -> Int { lines.keep(parsed).count }
    }

    private let recent = Recent()

    private static func lines(_ seqs: Range<Int>, of session: Int, padding: Int = 0) -> RecentLines.Parsed {
        let text = JSON.string(String(repeating: "x", count: padding))
        return RecentLines.Parsed(
            session: Int64(session), covers: seqs,
            lines: seqs.map { EventLine(seq: $0, at: 1, kind: .note, members: [("text", text)]) })
    }

    @Test("Lines that were committed one by one, by many sessions at once, are found together")
    func joined() throws {
        for seq in 0..<50 {
            for session in 0..<100 { #expect(recent.keep(Self.lines(seq..<seq + 1, of: session)) == 0) }
        }
        for session in 0..<100 {
            let found = try #require(recent.lines(of: session, at: 20))
            #expect(found.covers == 0..<50)
            #expect(found.lines.map(\.seq) == Array(0..<50))
        }
    }

    @Test("Lines aren't joined over a hole, and lines that were read don't change while others are added")
    func apart() throws {
        recent.keep(Self.lines(0..<2, of: 1))
        let read = try #require(recent.lines(of: 1, at: 1))
        recent.keep(Self.lines(2..<3, of: 1))
        recent.keep(Self.lines(5..<6, of: 1))
        #expect(read.covers == 0..<2)
        #expect(read.lines.count == 2)
        #expect(recent.lines(of: 1, at: 0)?.covers == 0..<3)
        #expect(recent.lines(of: 1, at: 3) == nil)
        #expect(recent.lines(of: 1, at: 5)?.covers == 5..<6)
        #expect(recent.lines(of: 2, at: 0) == nil)
    }

    @Test("Beyond the limit of memory, the lines go whose last use is longest ago")
    func memory() throws {
        var evicted = 0
        var kept = 0
        for session in 0..<100 {
            evicted += recent.keep(Self.lines(0..<1, of: session, padding: 1 << 20))
            // Used again and again.
            #expect(recent.lines(of: 0, at: 0) != nil)
        }
        for session in 0..<100 where recent.lines(of: session, at: 0) != nil { kept += 1 }
        #expect(kept + evicted == 100)
        #expect(10...31 ~= kept)
        #expect(recent.lines(of: 99, at: 0) != nil)
        #expect(recent.lines(of: 1, at: 0) == nil)
    }

    @Test("Lines of more sessions than are kept make room, oldest first")
    func count() throws {
        for session in 0..<5_000 { recent.keep(Self.lines(0..<1, of: session)) }
        let kept = (0..<5_000).filter { recent.lines(of: $0, at: 0) != nil }
        #expect(3_000...4_096 ~= kept.count)
        #expect(kept == Array(5_000 - kept.count..<5_000))
    }

    @Test("Damaged lines and batches of more than 4 MiB aren't kept")
    func refused() throws {
        recent.keep(Self.lines(0..<1, of: 1, padding: 5 << 20))
        recent.keep(
            RecentLines.Parsed(
                session: 2, covers: 0..<1, lines: [], damage: Damage(covers: 0..<1, reason: "they are missing")))
        #expect(recent.lines(of: 1, at: 0) == nil)
        #expect(recent.lines(of: 2, at: 0) == nil)
    }
}
