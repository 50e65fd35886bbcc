import SampleTapes
import TapeFormat
import Testing

@testable import StateTape
@testable import StateTapeServer
@testable import TapeUplink

@Suite struct AppLinkStateTests {
    private func message(_ lines: [[UInt8]]) -> [UInt8] {
        Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private func opened(have: Int = 0, ended: Bool = false) -> AppLinkState {
        var link = AppLinkState { _ in nil }
        _ = link.received(AppLine.hello(Sample.hello()).bytes)
        _ = link.opened(have: have, ended: ended)
        return link
    }

    private func appended(_ actions: [AppLinkState.Action]) -> [Int] {
        actions.flatMap { action in
            guard case .append(let lines) = action else { return [Int]() }
            return lines.map(\.seq)
        }
    }

    private func closed(_ actions: [AppLinkState.Action]) -> (code: CloseCode, message: String)? {
        for case .close(let code, let error) in actions { return (code, error.message) }
        return nil
    }

    @Test("The app says how many of its actions are queued")
    func queued() {
        var link = opened()
        guard case .queued(3)? = link.received(Array(#"{"queued":{"count":3}}"#.utf8)).first else {
            Issue.record("The count is not passed on")
            return
        }
        let actions = link.received(Array(#"{"queued":{"count":-1}}"#.utf8))
        #expect(closed(actions)?.code == .badLine)
    }

    @Test("Lines in order are appended together and acknowledged once committed")
    func order() {
        var link = opened()
        let actions = link.received(message(Sample.counting(to: 3).map(\.bytes)))
        #expect(appended(actions) == [0, 1, 2])
        guard case .ack(next: 3)? = link.committed(next: 3).first else { return #expect(Bool(false)) }
    }

    @Test("Events that the server has are ignored, and the following ones are stored")
    func resent() {
        var link = opened(have: 2)
        #expect(appended(link.received(message(Sample.counting(to: 4).map(\.bytes)))) == [2, 3])
    }

    @Test("A line above the expected seq closes with 4005")
    func hole() {
        var link = opened(have: 2)
        #expect(closed(link.received(Sample.count(3, to: 3).bytes))?.code == .outOfOrder)
    }

    @Test("A line after the end closes with 4005; the end again is ignored")
    func afterEnd() {
        var link = opened(have: 5, ended: true)
        #expect(link.received(Sample.end(4).bytes).isEmpty)
        #expect(closed(link.received(Sample.count(5, to: 1).bytes))?.code == .outOfOrder)
    }

    @Test("A gap that starts below the expected seq is cut to start there")
    func straddlingGap() throws {
        var link = opened(have: 5)
        let actions = link.received(Sample.gap(9, count: 8).bytes)
        guard case .append(let lines)? = actions.first, let gap = lines.first else { return #expect(Bool(false)) }
        #expect(gap.first == 5 && gap.seq == 9 && gap.count == 5)
        #expect(gap["reason"] == "memory")
    }

    @Test("A bad line closes with 4000 once the lines before it are committed, with member and position")
    func badLine() {
        var link = opened()
        let bad = Array(#"{"seq":1,"at":1,"event":"init"}"#.utf8)
        let actions = link.received(message([Sample.start(0).bytes, bad, Sample.count(2, to: 2).bytes]))
        #expect(appended(actions) == [0])
        #expect(closed(actions) == nil)
        #expect(link.received(Sample.count(1, to: 1).bytes).isEmpty)
        let close = closed(link.committed(next: 1))
        #expect(close?.code == .badLine)
        #expect(close?.message.contains("state") == true && close?.message.contains("seq 1") == true)
    }

    @Test(
        "A missing hello, a bad one, another version and one that is too long are refused",
        arguments: [
            (#"{"seq":0,"at":0,"event":"end"}"#, CloseCode.badLine),
            (#"{"hello":{"tape":1}}"#, .badLine), ("[1,]", .badLine),
            (#"{"hello":{"tape":2,"session":"x"}}"#, .version),
            (#"{"hello":{"tape":1,"pad":""# + String(repeating: "x", count: 20_000) + #""}}"#, .headerTooLarge),
        ])
    func badHello(line: String, code: CloseCode) {
        var link = AppLinkState { _ in nil }
        #expect(closed(link.received(Array(line.utf8)))?.code == code)
    }

    @Test("A wrong token closes with 4001")
    func token() {
        var link = AppLinkState { $0 == "right" ? nil : LinkError(code: "not-authorised", message: "") }
        #expect(closed(link.received(AppLine.hello(Sample.hello(token: "wrong")).bytes))?.code == .notAuthorised)
        var other = AppLinkState { $0 == "right" ? nil : LinkError(code: "not-authorised", message: "") }
        #expect(closed(other.received(AppLine.hello(Sample.hello(token: "right")).bytes)) == nil)
    }

    @Test("Lines that arrive with the hello wait until the session is open")
    func together() {
        var link = AppLinkState { _ in nil }
        let actions = link.received(message([AppLine.hello(Sample.hello()).bytes, Sample.start(0).bytes]))
        #expect(actions.count == 1 && appended(actions).isEmpty)
        #expect(appended(link.opened(have: 0, ended: false)) == [0])
    }

    @Test("A late hello, another key and a newer connection close the link, once")
    func refusals() {
        var late = AppLinkState { _ in nil }
        #expect(closed(late.helloIsOverdue())?.code == .goingAway)
        #expect(late.helloIsOverdue().isEmpty)
        var other = AppLinkState { _ in nil }
        _ = other.received(AppLine.hello(Sample.hello()).bytes)
        #expect(closed(other.refused())?.code == .otherKey)
        var old = opened()
        #expect(old.helloIsOverdue().isEmpty)
        #expect(closed(old.replaced())?.code == .replaced)
        #expect(old.received(Sample.start(0).bytes).isEmpty)
    }

    @Test("Compressed messages are accepted if the hello offered them, and bad ones close after the lines before")
    func compressed() {
        let lines = Sample.counting(to: 3).map(\.bytes)
        func opened() -> AppLinkState {
            var link = AppLinkState(maxMessage: 1 << 20) { _ in nil }
            _ = link.received(AppLine.hello(Sample.hello(compress: ["deflate"])).bytes)
            _ = link.opened(have: 0, ended: false)
            return link
        }
        let deflater = Deflater()
        let (first, second) = (deflater.compressed(message(Array(lines[..<2]))), deflater.compressed(lines[2]))
        var link = opened()
        #expect(appended(link.received(first)) == [0, 1])
        #expect(appended(link.received(second)) == [2])
        #expect(closed(link.received([0, 0xff, 0xff])) == nil)
        #expect(closed(link.committed(next: 3))?.code == .badCompression)

        var other = opened()
        let bomb = Deflater().compressed([UInt8](repeating: 10, count: (1 << 20) + 1))
        #expect(closed(other.received(bomb))?.code == .tooBig)
        var unasked = self.opened()
        #expect(closed(unasked.received(first))?.code == .badLine)
        var early = AppLinkState { _ in nil }
        #expect(closed(early.received(first))?.code == .badLine)
    }

    @Test("Unknown control lines and events are accepted; a second hello is a bad line")
    func unknown() {
        var link = opened()
        #expect(link.received(Array(#"{"later":{"x":1}}"#.utf8)).isEmpty)
        #expect(appended(link.received(Array(#"{"seq":0,"at":0,"event":"later"}"#.utf8))) == [0])
        _ = link.committed(next: 1)
        #expect(closed(link.received(AppLine.hello(Sample.hello()).bytes))?.code == .badLine)
    }
}
