import Foundation
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("The order of messages on the link", .timeLimit(.minutes(1)))
struct LinkOrderTests {
    private let transport = FakeTransport()

    private func recorder(_ log: @escaping @Sendable (String) -> Void = { _ in }) -> Recorder {
        let tape = Recorder(
            .test(
                url: "http://127.0.0.1:9/", launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                log: log, transport: { [transport] in transport }))
        // It has started to connect.
        tape.settle()
        return tape
    }

    private func welcome(_ have: Int = 0, maxMessage: Int = 1 << 20, recording: Bool = true) {
        transport.say(
            .welcome(
                Welcome(
                    session: "s", have: have, server: "t", maxMessage: maxMessage, recording: recording, locked: false))
        )
    }

    @Test("Events recorded while a welcome is handled are sent after the waiting ones")
    func reentered() throws {
        let onWelcome = Locked<(() -> Void)?>(nil)
        let tape = recorder { text in
            if text.hasPrefix("Connected") { onWelcome.withLock { $0 }?() }
        }
        let track = tape.track(TestState(), TestAction.self)
        let state = Locked(track.start)
        let later = Locked<Track<TestState, TestAction>?>(nil)
        welcome()
        transport.say(.control(Control(recording: false)))
        tape.settle()
        transport.close(1012)
        tape.settle()
        // A store's start is recorded in a pause as well, and waits for the server.
        let second = tape.track(TestState(), TestAction.self, name: "second")
        _ = second.start
        tape.settle()
        onWelcome.withLock { onWelcome in
            onWelcome = {
                let third = tape.track(TestState(), TestAction.self, name: "third")
                _ = third.start
                later.withLock { $0 = third }
            }
        }
        let have = (transport.events.last?.seq ?? -1) + 1
        tape.reconnect()
        welcome(have)
        tape.settle()
        let told = transport.events.suffix(2).map { "\($0.seq) \($0.store) \($0.kind)" }
        #expect(told == ["\(have) second init", "\(have + 1) third init"])
        withExtendedLifetime((track, state, second)) {}
    }

    @Test("Lines written together are sent in one message; long lines wait for no others")
    func gathered() throws {
        let tape = recorder()
        let track = tape.track(TestState(), TestAction.self)
        var state = track.start
        welcome()
        tape.settle()
        let session = try #require(tape.session)
        func record(_ text: String) -> Int {
            let (messages, events) = (transport.messages, transport.events.count)
            session.queue.suspend()
            for _ in 0..<10 { track.record(.increment, &state) { $0.filter += text } }
            session.queue.resume()
            tape.settle()
            #expect(transport.events.count == events + 10)
            return transport.messages - messages
        }
        #expect(record("") < 4)
        #expect(record(String(repeating: "x", count: LinkState.batch)) == 10)
    }

    @Test("A state that is too long for the server is left out, and returns once it is short enough")
    func grown() throws {
        let told = Locked<[String]>([])
        let tape = recorder { text in told.withLock { $0.append(text) } }
        let track = tape.track(TestState(), TestAction.self)
        var state = track.start
        welcome(maxMessage: 10_000)
        track.record(.increment, &state) { $0.filter = String(repeating: "x", count: 9_000) }
        tape.settle()
        for _ in 0..<300 { track.record(.increment, &state) { $0.filter += String(repeating: "y", count: 10) } }
        tape.settle()
        // The server could not apply a patch, again and again. A whole state would be too long.
        for _ in 0..<20 { transport.say(.want(store: "main")) }
        tape.settle()
        for _ in 0..<200 { track.record(.increment, &state) { $0.filter = "short" } }
        tape.settle()
        let events = transport.events
        #expect(events.map(\.seq) == Array(0..<events.count))
        #expect(events.filter { $0.type == "increment" }.count == 501)
        #expect(events.allSatisfy { $0.bytes.count <= 10_000 && $0.kind != .gap })
        #expect(events.filter { $0["level"]?.string == "warning" }.count <= 2)
        #expect(events.last(where: { $0.raw("state") != nil })?["state"]?["filter"] == "short")
    }

    @Test("A server with a lower limit than it announces does not get the same state forever")
    func lowerLimit() throws {
        let tape = recorder()
        let track = tape.track(TestState(), TestAction.self)
        var state = track.start
        track.connect()
        let action = TestAction.todos(.add(title: String(repeating: "t", count: 200)))
        track.record(action, &state) { $0.filter = String(repeating: "x", count: 9_000) }
        tape.settle()
        // The server accepts 5 000 bytes and announces a megabyte.
        var (have, closes, seen) = (0, 0, 0)
        for _ in 0..<40 {
            tape.reconnect()
            welcome(have)
            tape.settle()
            let sent = Array(transport.events[seen...])
            seen += sent.count
            for event in sent where event.first <= have && event.seq >= have && event.bytes.count <= 5_000 {
                have = event.seq + 1
            }
            transport.say(.ack(next: have))
            tape.settle()
            let late = Array(transport.events[seen...])
            seen += late.count
            guard (sent + late).contains(where: { $0.bytes.count > 5_000 }) else { break }
            closes += 1
            transport.close(1009)
            tape.settle()
        }
        // One until lines go singly, one for the action, one for the full state after it, and for each that is a digit
        // shorter in its time.
        #expect(3...6 ~= closes && transport.events.last?.kind != .replace)
    }

    @Test("A replay without actions is answered, and the app's queued actions run")
    func idleReplay() throws {
        let tape = recorder()
        let track = tape.track(TestState(), TestAction.self)
        _ = track.start
        let start = Welcome.Start(id: "r", mode: .replay, states: [:])
        transport.say(
            .welcome(
                Welcome(
                    session: "s", have: 0, server: "t", maxMessage: 1 << 20, recording: true, locked: false,
                    start: start)))
        tape.settle()
        #expect(!track.gate.isOpen)
        for of in 0...RecordingSession.maxReplays {
            transport.say(.replay(Replay(id: "r", of: of, store: "nowhere", action: ["type": "increment"])))
        }
        tape.settle()
        #expect(track.gate.isOpen)
        #expect(transport.pushed.map(\.id) == ["r"])
    }

    /// Lines that no correct server sends.
    private static let hostile: [String] = {
        let most = [
            "9223372036854775807", "9007199254740993", "18446744073709551616", "0", "-1", "1e300", "null", "[]",
        ]
        var lines: [String] = []
        for number in most {
            lines += [
                #"{"ack":{"next":\#(number)}}"#, #"{"push":{"id":"e\#(number)","expires":\#(number),"state":{}}}"#,
                #"{"replay":{"id":"r","of":\#(number),"action":{"type":"increment"}}}"#,
                #"{"welcome":{"session":"s","have":\#(number),"maxMessage":\#(number)}}"#,
                #"{"control":{"recording":\#(number),"locked":true,"queue":\#(number)}}"#,
                #"{"want":{"state":\#(number)}}"#,
            ]
        }
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        lines += [
            "{}", "[]", "\u{0}", "{\"push\":", #"{"push":{"id":"d","state":\#(deep)}}"#,
            #"{"want":{"state":"nowhere"}}"#,
        ]
        lines += [#"{"push":{"id":"\#(String(repeating: "x", count: 1 << 20))","state":{}}}"#]
        lines += (0..<300).map {
            #"{"push":{"id":"p\#($0)","store":"other","expires":9223372036854775807,"state":{}}}"#
        }
        lines += [
            #"{"control":{"recording":false}}"#, #"{"control":{"recording":true,"locked":false,"queue":"replay"}}"#,
        ]
        return lines
    }()

    @Test(
        "Whatever a server sends, the app continues and keeps its events", arguments: ["1", "7", "9223372036854775807"])
    func hostile(_ have: String) throws {
        let tape = recorder()
        let tracks = ["main", "other"].map { tape.track(TestState(), TestAction.self, name: $0) }
        var states = tracks.map(\.start)
        for round in 0..<3 {
            tape.reconnect()
            transport.say(Array(#"{"welcome":{"session":"s","have":\#(round == 0 ? "0" : have)}}"#.utf8))
            for line in Self.hostile {
                transport.say(Array(line.utf8))
                if line.count % 3 == 0 { tracks[0].record(.increment, &states[0]) { $0.count += 1 } }
            }
            tape.settle()
            transport.close(round == 1 ? 1009 : 1006)
            tape.settle()
        }
        #expect(tracks[0].gate.isOpen)
        let before = states[0].count
        tracks[0].record(.increment, &states[0]) { $0.count += 1 }
        #expect(states[0].count == before + 1)
        withExtendedLifetime(tracks) {}
    }

    @Test("A recovered session's numbers stay in range, whatever the server has of it")
    func hostileRecovery() throws {
        for have in [5, LinkState.maxSeq, Int.max] {
            let scene = SpoolScene()
            try scene.leave("01JD3M8Q5R7V2X9B4N6T0KZYWE", [0...3])
            let spoken = FakeTransport()
            let address = try #require(Address("http://localhost/"))
            let queue = DispatchQueue(label: "recovery")
            let recovery = Recovery(
                scene.folder, for: SessionServer(), token: nil, compresses: false,
                Link.Route(
                    later: { _, _ in }, now: { .zero },
                    connect: { hear in
                        nonisolated(unsafe) let hear = hear
                        return spoken.connect(to: address) { event in queue.async { hear(event) } }
                    }))
            queue.sync { recovery.next() }
            let welcome = Welcome(
                session: "s", have: have, server: "t", maxMessage: 1 << 20, recording: true, locked: false)
            spoken.say(.welcome(welcome))
            queue.sync {}
            #expect(spoken.events.last?.kind == (have == .max ? nil : .end))
        }
    }
}

extension Recorder {
    /// Connects now instead of later.
    fileprivate func reconnect() {
        feed(.connect)
        settle()
    }
}
