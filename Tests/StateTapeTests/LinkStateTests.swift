import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("The app's side of the link")
struct LinkStateTests {
    @Test("The first line is hello, and no other is sent before the welcome")
    func hello() throws {
        var link = LinkDriver(token: "t")
        link.note()
        link.feed(.connect)
        #expect(link.takeActions() == [.connect])
        link.feed(.transport(.opened))
        link.note()
        let lines = link.take()
        #expect(lines.count == 1)
        let hello = try LinkDriver.hello(lines.first)
        #expect(hello.next == 0 && hello.fresh && hello.token == "t" && hello.key == "k")
        #expect(hello.maxMessage == Limits.line && !hello.recovered)
    }

    @Test("After the welcome, the events are sent in order and removed once acknowledged")
    func events() {
        var link = LinkDriver()
        link.note()
        link.note()
        link.live()
        link.note()
        #expect(link.takeSeqs() == [0...0, 1...1, 2...2])
        link.say(.ack(next: 2))
        #expect(link.link.outbox.first == 2)
        link.say(.ack(next: 3))
        #expect(link.takeActions().last == .acknowledged)
        #expect(link.link.outbox.isEmpty)
    }

    @Test("After a lost connection, it continues from the server's position")
    func resend() throws {
        var link = LinkDriver()
        link.live()
        for _ in 0..<5 { link.note() }
        link.say(.ack(next: 2))
        link.close(nil)
        link.note()
        _ = link.take()
        link.ring(.retry)
        link.feed(.transport(.opened))
        let hello = try LinkDriver.hello(link.take().first)
        #expect(hello.next == 2 && !hello.fresh)
        link.feed(
            .transport(
                .received(
                    ServerLine.welcome(
                        Welcome(session: "s", have: 4, server: "t", maxMessage: 1 << 20, recording: true, locked: false)
                    ).bytes)))
        #expect(link.takeSeqs() == [4...4, 5...5])
        #expect(link.link.outbox.first == 4)
    }

    @Test("A gap replaces the events that the server lost, and full states follow the kept ones")
    func serverLost() {
        var link = LinkDriver()
        link.live()
        for _ in 0..<5 { link.note() }
        link.say(.ack(next: 4))
        link.close(nil)
        link.ring(.retry)
        _ = link.take()
        _ = link.takeActions()
        link.welcome(have: 1)
        #expect(link.takeSeqs() == [1...3, 4...4])
        #expect(link.takeActions().filter { $0 == .full(store: nil) }.count == 1)
    }

    @Test("A gap of a full outbox is followed by full states, once")
    func overflow() {
        var link = LinkDriver(bounds: Outbox.Bounds(count: 3, bytes: 1 << 20))
        for _ in 0..<10 { link.note() }
        link.live()
        #expect(link.takeSeqs() == [0...7, 8...8, 9...9])
        link.note()
        #expect(link.takeActions().filter { $0 == .full(store: nil) }.count == 1)
    }

    @Test("If the server has more events than the app made, the session continues under a new name")
    func newSession() throws {
        var link = LinkDriver()
        link.live()
        for _ in 0..<3 { link.note() }
        link.say(.ack(next: 2))
        link.close(nil)
        link.ring(.retry)
        link.welcome(have: 7)
        #expect(link.takeActions().contains(.newSession))
        var header = link.link.sessionIdentity.header
        header.session = "01JD3M8Q5R7V2X9B4N6T0KZYWF"
        link.link.begin(header: header, key: "k2")
        _ = link.take()
        link.note()
        link.ring(.retry)
        link.feed(.transport(.opened))
        let hello = try LinkDriver.hello(link.take().first)
        #expect(hello.header.session == header.session && hello.key == "k2" && hello.next == 2)
        link.welcome()
        #expect(link.takeSeqs() == [0...1, 2...2, 3...3])
        #expect(link.takeActions().contains(.full(store: nil)))
    }

    @Test("A push is played once, and answered after its event")
    func push() {
        var link = LinkDriver()
        link.live()
        _ = link.takeActions()
        let push = Push(id: "p1", expires: 5_000, content: .state(["a": 1]))
        link.say(.push(push))
        link.say(.push(push))
        #expect(link.takeActions() == [.play(push)])
        _ = link.take()
        link.feed(.pushed(Pushed(id: "p1", result: .played(seq: 0))))
        #expect(link.take().isEmpty)
        link.note()
        #expect(link.take().map { $0.hasPrefix("{\"pushed\"") } == [false, true])
        link.say(.push(push))
        #expect(link.takeActions().isEmpty)
        #expect(link.take().map { $0.hasPrefix("{\"pushed\"") } == [true])
    }

    @Test("Pushes that have not begun are discarded with the connection and may be sent again")
    func pushesDie() {
        var link = LinkDriver()
        link.live()
        let push = Push(id: "p1", content: .state(1))
        link.say(.push(push))
        link.close(1001)
        #expect(link.takeActions().contains(.dropPushes))
        link.feed(.dropped("p1"))
        link.ring(.retry)
        link.welcome()
        link.say(.push(push))
        #expect(link.takeActions().last == .play(push))
    }

    @Test("A push that is being played when the connection is lost is answered, not played again")
    func pushOutlives() {
        var link = LinkDriver()
        link.live()
        let push = Push(id: "p1", content: .state(1))
        link.say(.push(push))
        link.close(1001)
        link.ring(.retry)
        link.welcome()
        _ = link.takeActions()
        link.say(.push(push))
        #expect(link.takeActions().isEmpty)
        _ = link.take()
        link.feed(.pushed(Pushed(id: "p1", result: .played(seq: 0))))
        link.note()
        #expect(link.take().last?.hasPrefix("{\"pushed\"") == true)
    }

    @Test("A refusal is sent at once")
    func refusal() {
        var link = LinkDriver()
        link.live()
        _ = link.take()
        link.say(.push(Push(id: "p", content: .action([:]))))
        link.feed(.pushed(Pushed(id: "p", result: .failed(Pushed.Failure(code: .decode, message: "m", path: "/a")))))
        #expect(link.take().first?.contains("\"decode\"") == true)
    }

    @Test("A refusal that names the next event is sent after the events before it")
    func orderedRefusal() {
        var link = LinkDriver()
        link.live()
        link.note()
        _ = link.take()
        link.say(.push(Push(id: "p", content: .action([:]))))
        let failure = Pushed.Failure(code: .decode, message: "m")
        link.feed(.pushed(Pushed(id: "p", result: .failed(failure), next: 2)))
        #expect(link.take() == [])
        link.note()
        #expect(link.take().map { $0.hasPrefix("{\"pushed\"") } == [false, true])
    }

    @Test("A welcome carries the launch state")
    func start() {
        var link = LinkDriver()
        let start = Welcome.Start(id: "s1", mode: .state, states: ["main": 1])
        link.feed(.connect)
        link.welcome(start: start)
        #expect(link.takeActions().contains(.settled(start)))
    }

    @Test("A refused connection ends the wait for the launch state")
    func refused() {
        var link = LinkDriver()
        link.feed(.connect)
        link.close(nil)
        #expect(link.takeActions().contains(.settled(nil)))
    }

    @Test("Connection attempts back off from 250 ms to 10 s, and restart after a stable connection")
    func backoff() {
        var link = LinkDriver()
        link.feed(.connect)
        var delays: [Duration] = []
        for _ in 0..<9 {
            let before = link.now
            link.close(nil)
            link.ring(.retry)
            delays.append(link.now - before)
        }
        #expect(delays.first == .milliseconds(250))
        #expect(delays[1] == .milliseconds(500))
        #expect(delays.last == .seconds(10))
        link.welcome()
        link.now += .seconds(6)
        let before = link.now
        link.close(nil)
        link.ring(.retry)
        #expect(link.now - before == .milliseconds(250))
        var backoff = Backoff()
        #expect(backoff.next(spread: 0) == .milliseconds(250))
        #expect(backoff.next(spread: 1) == .milliseconds(625))
    }

    @Test(
        "Some close codes end the recording; after the others, the app reconnects",
        arguments: [
            (nil, true), (1001, true), (1006, true), (1011, true), (1012, true), (1013, true), (4001, false),
            (4002, false),
            (4003, false), (4004, false), (4005, false), (4006, false), (4010, false),
        ] as [(UInt16?, Bool)])
    func codes(_ code: UInt16?, _ isRetried: Bool) {
        var link = LinkDriver()
        link.note()
        link.live()
        link.close(code)
        #expect((link.link.phase == .waiting) == isRetried)
        #expect(link.takeActions().contains(.stopped) != isRetried)
        if !isRetried { #expect(link.link.outbox.isEmpty) }
    }

    @Test("Each connection has a higher number, and offers no compression after a decompression error")
    func attempts() throws {
        var link = LinkDriver(compresses: true)
        link.live()
        var hello = try LinkDriver.hello(link.take().first)
        #expect(hello.attempt == 1 && hello.compress == ["deflate"])
        #expect(!link.takeActions().contains(.compress))
        link.close(nil)
        link.ring(.retry)
        link.welcome(compress: "deflate")
        #expect(link.takeActions().contains(.compress))
        link.close(1007)
        link.ring(.retry)
        _ = link.take()
        link.welcome(compress: "deflate")
        hello = try LinkDriver.hello(link.take().first)
        #expect(hello.attempt == 3 && hello.compress.isEmpty)
        #expect(!link.takeActions().contains(.compress))
        link.close(1007)
        #expect(link.link.phase == .stopped)
    }

    @Test("An acknowledgement of unsent events doesn't keep them from being sent")
    func acknowledgedAhead() {
        var link = LinkDriver()
        link.live()
        _ = link.take()
        for _ in 0..<30 { link.note(String(repeating: "x", count: 100_000)) }
        _ = link.take()
        link.say(.ack(next: 25))
        link.feed(.transport(.drained))
        #expect(link.takeSeqs().first == 25...25)
    }

    @Test("Lines that are too long for the server are never sent")
    func tooLong() {
        var link = LinkDriver()
        link.note(String(repeating: "x", count: 2_000))
        link.note()
        link.feed(.connect)
        link.welcome(maxMessage: 1_000)
        #expect(link.link.outbox.line(at: 0)?.kind == .gap)
        #expect(link.takeSeqs() == [0...0, 1...1])
    }

    @Test("The transport gets no more than it has room for")
    func window() {
        var link = LinkDriver()
        link.live()
        _ = link.take()
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<30 { link.note(text) }
        let first = link.takeSeqs().count
        #expect(first < 12)
        link.feed(.transport(.drained))
        #expect(link.takeSeqs().count == first)
    }

    @Test("A server without acknowledgements for 60 s is disconnected, a slow one is not")
    func silence() {
        var link = LinkDriver()
        link.live()
        link.note()
        link.now += .seconds(30)
        link.note()
        link.say(.ack(next: 1))
        link.ring(.silence)
        #expect(link.link.phase == .live && link.now == .seconds(60))
        link.ring(.silence)
        #expect(link.link.phase == .waiting && link.now == .seconds(90))
        #expect(link.takeActions().contains { if case .disconnect = $0 { true } else { false } })
    }

    @Test("Silence counts only from the first unacknowledged event")
    func silenceAfterQuiet() {
        var link = LinkDriver()
        link.live()
        link.note()
        link.say(.ack(next: 1))
        link.now = .seconds(50)
        link.note()
        link.ring(.silence)
        #expect(link.link.phase == .live)
        link.ring(.silence)
        #expect(link.link.phase == .waiting && link.now == .seconds(110))
    }

    @Test("A server that never sends a welcome is disconnected and tried again")
    func noWelcome() {
        var link = LinkDriver()
        link.feed(.connect)
        link.feed(.transport(.opened))
        link.ring(.welcome)
        #expect(link.link.phase == .waiting)
        link.ring(.retry)
        #expect(link.link.phase == .connecting)
    }

    @Test("A launch that was welcomed or is older than 5 s is not fresh")
    func fresh() throws {
        var link = LinkDriver()
        link.now = .seconds(5)
        link.feed(.connect)
        link.feed(.transport(.opened))
        #expect(try !LinkDriver.hello(link.take().first).fresh)
    }

    @Test("Unknown or broken lines change nothing")
    func unknown() {
        var link = LinkDriver()
        link.live()
        _ = link.takeActions()
        link.feed(
            .transport(.received(Array("{\"future\":{\"a\":1}}\n{\"ack\":\n\nnull\n{\"ack\":{\"next\":-1}}".utf8))))
        link.say(.control(Control(queue: .init(rawValue: "later"))))
        link.say(.replay(Replay(id: "r", of: 1, action: [:])))
        #expect(link.takeActions().isEmpty)
        #expect(link.link.phase == .live)
        link.say(.want(store: "main"))
        #expect(link.takeActions() == [.full(store: "main")])
    }

    @Test("Several lines may come in one message")
    func lines() {
        var link = LinkDriver()
        link.feed(.connect)
        link.feed(.transport(.opened))
        let welcome = Welcome(session: "s", have: 0, server: "t", maxMessage: 9_999, recording: true, locked: false)
        let push = Push(id: "p", content: .state(1))
        link.feed(.transport(.received(ServerLine.welcome(welcome).bytes + [10] + ServerLine.push(push).bytes + [10])))
        #expect(link.takeActions().last == .play(push))
    }
}
