import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Lines that the server refuses")
struct LinkRefusalTests {
    @Test("A gap replaces a line that the server can't read, once")
    func badLine() {
        var link = LinkDriver()
        link.live()
        for _ in 0..<4 { link.note() }
        link.close(4000)
        link.ring(.retry)
        _ = link.take()
        link.welcome(have: 1)
        #expect(link.link.outbox.line(at: 1)?.kind == .gap)
        #expect(link.takeSeqs() == [1...1, 2...2, 3...3])
        link.close(4000)
        #expect(link.link.phase == .stopped)
    }

    @Test("After progress past the gap, another bad line may be replaced")
    func badLineAgain() {
        var link = LinkDriver()
        link.live()
        for _ in 0..<4 { link.note() }
        link.close(4000)
        link.ring(.retry)
        link.welcome(have: 1)
        link.say(.ack(next: 3))
        link.close(4000)
        #expect(link.link.phase == .waiting)
    }

    @Test("After a message that was too big, lines go one by one; after another, the longest is left out")
    func tooBig() {
        var link = LinkDriver()
        let long = String(repeating: "x", count: 2_000)
        for text in ["n", "n", long, "n"] { link.note(text) }
        link.live()
        #expect(link.sent.last?.count == 4)
        link.refuseMessage(have: 0)
        #expect(link.sent.dropFirst().map(\.count) == [1, 1, 1, 1])
        #expect(link.link.outbox.line(at: 2)?.kind == .note)
        link.refuseMessage(have: 2)
        #expect(link.link.outbox.line(at: 2)?.kind == .gap)
        #expect(link.takeSeqs() == [2...2, 3...3])
        link.note()
        #expect(link.takeSeqs() == [])
        link.say(.ack(next: 4))
        #expect(link.takeSeqs() == [4...4])
    }

    @Test("Two adjacent long lines become gaps; if the server refuses even short ones, the link ends")
    func tooBigTwice() {
        var link = LinkDriver()
        for count in [1, 2_000, 3_000, 1] { link.note(String(repeating: "x", count: count)) }
        link.live()
        link.refuseMessage(have: 0)
        link.refuseMessage(have: 1)
        link.refuseMessage(have: 1)
        #expect(link.link.phase == .live)
        #expect((1..<4).map { link.link.outbox.line(at: $0)?.kind == .gap } == [true, true, false])
        link.refuseMessage(have: 3)
        link.close(1009)
        #expect(link.link.phase == .stopped)
    }

    @Test("A line that a server refused as too long is not sent again, nor a longer one")
    func learnt() {
        var link = LinkDriver()
        let long = String(repeating: "x", count: 20_000)
        link.live()
        link.note(long)
        link.refuseMessage(have: 0)
        link.refuseMessage(have: 0)
        #expect(link.link.outbox.line(at: 0)?.kind == .gap)
        #expect(20_000..<20_200 ~= link.link.maxMessage)
        link.say(.ack(next: 1))
        _ = link.takeSeqs()
        // A line that is longer than the learned limit.
        link.note(long + long)
        #expect(link.link.outbox.line(at: 1)?.kind == .gap)
        link.note()
        #expect(link.takeSeqs() == [1...1, 2...2])
    }

    @Test("A server that was set back between the refusal and the next welcome costs no other line")
    func refusedAndSetBack() {
        var link = LinkDriver()
        link.live()
        for _ in 0..<4 { link.note() }
        link.say(.ack(next: 2))
        link.close(4000)
        link.ring(.retry)
        _ = link.take()
        link.welcome(have: 1)
        #expect(link.link.outbox.line(at: 2)?["reason"] == "refused")
        #expect(link.link.outbox.line(at: 1)?["reason"] == "server-lost")
        #expect(link.takeSeqs() == [1...1, 2...2, 3...3])
    }
}
