import TapeFormat
import Testing

@Suite("Control lines")
struct ControlTests {
    @Test("The receiver parses the golden lines, and they are encoded byte for byte the same")
    func golden() throws {
        for line in try Golden.lines("control.jsonl") {
            let text = String(decoding: line, as: UTF8.self)
            let name = try #require(try JSON(parsing: line).object?.first?.key)
            let written: [UInt8]
            switch name {
            case "hello", "pushed":
                written = try AppLine(parsing: line).bytes
            case "watch", "unwatch":
                written = try ViewerRequest(parsing: line).bytes
            case "watching", "event", "behind", "archive", "runs":
                written = try ViewerLine(parsing: line).bytes
            default:
                written = try ServerLine(parsing: line).bytes
            }
            #expect(String(decoding: written, as: UTF8.self) == text)
        }
    }

    @Test("An app's line is an event unless it has a single member")
    func appLines() throws {
        guard case .event(let event) = try AppLine(parsing: Array(#" {"at":0,"seq":3,"event":"end"}"#.utf8)) else {
            Issue.record("no event")
            return
        }
        #expect(event.seq == 3)
        // A member name of events is no control line, with any white space.
        #expect(throws: FormatError.self) { try AppLine(parsing: Array(#" {"seq":"a"}"#.utf8)) }
        guard case .unknown("sparkle") = try AppLine(parsing: Array(#"{"sparkle":1}"#.utf8)) else {
            Issue.record("not unknown")
            return
        }
    }

    @Test(
        "The error of an invalid control line names the member",
        arguments: [
            (#"{"welcome":{"have":1}}"#, "member “session” of “welcome” is missing"),
            (#"{"ack":{"next":-1}}"#, "member “next” of “ack” must be a whole number, 0 or more"),
            (#"{"push":{"id":"p"}}"#, "“push” needs one of “state” and “action”"),
            (#"{"push":7}"#, "“push” must be an object"),
            (#"{"replay":{"id":"p"}}"#, "“replay” needs either “of” and “action”, or “done”"),
            (#"{"loop":{"id":"l"}}"#, "“loop” needs either “states” or “stop”"),
            (#"{"ack":{"next":1},"x":1}"#, "a control line must be an object with a single member"),
        ])
    func broken(_ line: String, _ message: String) {
        let error = #expect(throws: FormatError.self) { try ServerLine(parsing: Array(line.utf8)) }
        #expect(error?.description == message)
    }

    @Test("A hello that exceeds the header's limit is an error")
    func largeHello() throws {
        let hello = Hello(
            header: Header(
                session: "0123456789", app: .init(id: "a"), started: "x",
                labels: ["a": String(repeating: "x", count: 17_000)]),
            key: "k", next: 0, fresh: true)
        #expect(throws: FormatError("a hello of more than 16384 bytes")) {
            try AppLine(parsing: AppLine.hello(hello).bytes)
        }
    }
}
