import TapeFormat
import Testing

@Suite("Lines of a tape")
struct LineTests {
    @Test("The golden tape is parsed, and written back byte for byte")
    func golden() throws {
        let lines = try Golden.lines("session.tape")
        let header = try Header(try JSON(parsing: lines[0]))
        #expect(header.json.bytes == lines[0])
        #expect(header.app.version == "2.3")
        #expect(header.labels == ["branch": "main", "commit": "4f2c"])
        let events = try lines.dropFirst().map { try EventLine(parsing: $0) }
        #expect(events.map(\.bytes) == Array(lines.dropFirst()))
        #expect(events.map(\.seq) == [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14])
        #expect(events.map(\.first) == [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14])
        #expect(events[1].type == "todos/toggle")
        #expect(events[1].at.text == "12.5")
        #expect(events[4]["error"] == "SyncError.offline(retries: 3)")
        #expect(events[7].store == "detail#2")
        #expect(events[8].kind == .other("sparkle"))
        #expect(events[8]["colour"] == "blue")
        #expect(events[6]["state"]?["big"]?.text == "18446744073709551615")
        #expect(events[11]["state"]?["counter"] == ["$unencodable": "Counter: not ready"])
    }

    @Test("A title and a nickname are texts; anything else of these names stays as it is")
    func names() throws {
        func header(_ title: String, _ nickname: String) throws -> Header {
            let text =
                #"{"tape":1,"session":"0123456789","app":{"id":"a"},"started":"","#
                + #""device":{"nickname":\#(nickname)},"title":\#(title)}"#
            return try Header(JSON(parsing: Array(text.utf8)))
        }
        let named = try header(#""Crash""#, #""Red phone""#)
        #expect(named.title == "Crash" && named.device?.nickname == "Red phone")
        #expect(try Header(named.json) == named)
        let other = try header("[5]", "null")
        #expect(other.title == nil && other.device?.nickname == nil)
        #expect(other.json["title"] == [5])
    }

    @Test("The states of the golden tape follow from its patches")
    func states() throws {
        let events = try Golden.lines("session.tape").dropFirst().map { try EventLine(parsing: $0) }
        var state = try #require(events[0]["state"])
        for event in events[1...2] { try Patch(try #require(event["patch"])).apply(to: &state) }
        #expect(state["counter"] == 42)
        #expect(state["big"]?.text == "9007199254740993")
        #expect(
            state["note"] == .string("a note that is long enough to be spliced: 👍🏽 👩‍👩‍👧 e\u{301} and on to the end of it"))
    }

    @Test(
        "The error of an invalid line has the member and the position",
        arguments: [
            (#"[]"#, "a line must be a JSON object, at byte 0"),
            (#"{"at":0,"event":"end","x":1}"#, "member “seq” of an event is missing"),
            (
                #"{"seq":-1,"at":0,"event":"end"}"#,
                "member “seq” of an event must be a whole number from 0 to 9007199254740991, at byte 7"
            ),
            (
                #"{"seq":1.5,"at":0,"event":"end"}"#,
                "member “seq” of an event must be a whole number from 0 to 9007199254740991, at byte 7"
            ),
            (#"{"seq":0,"event":"end"}"#, "member “at” of an event is missing"),
            (
                #"{"seq":0,"at":"now","event":"end"}"#,
                "member “at” of an event must be a number of milliseconds, 0 or more, at byte 14"
            ),
            (#"{"seq":0,"at":0}"#, "member “event” of an event is missing"),
            (#"{"seq":0,"at":0,"event":7}"#, "member “event” of an event must be a string, at byte 24"),
            (#"{"seq":0,"at":0,"event":"end","store":""}"#, "member “store” of an event must be a name, at byte 38"),
            (#"{"seq":0,"at":0,"event":"init"}"#, "member “state” of event “init” is missing"),
            (#"{"seq":0,"at":0,"event":"action","patch":[]}"#, "member “action” of event “action” is missing"),
            (
                #"{"seq":0,"at":0,"event":"action","action":{},"patch":[]}"#,
                "member “action” of an event needs a string “type”, at byte 42"
            ),
            (
                #"{"seq":0,"at":0,"event":"action","action":{"type":"a"}}"#,
                "event “action” needs one of “patch”, “state” and “skipped”, and has 0"
            ),
            (
                #"{"seq":0,"at":0,"event":"action","action":{"type":"a"},"patch":[],"state":1}"#,
                "event “action” needs one of “patch”, “state” and “skipped”, and has 2"
            ),
            (#"{"seq":0,"at":0,"event":"replace","state":1}"#, "member “cause” of event “replace” is missing"),
            (
                #"{"seq":0,"at":0,"event":"replace","patch":{},"cause":{"set":true}}"#,
                "member “patch” of an event must be an array, at byte 42"
            ),
            (#"{"seq":0,"at":0,"event":"note"}"#, "member “text” of event “note” is missing"),
            (
                #"{"seq":0,"at":0,"event":"gap","count":2,"reason":"x"}"#,
                "member “count” of an event must be a whole number from 1 to seq + 1, at byte 38"
            ),
            (#"{"seq":0,"at":0,"event":"gap","count":1}"#, "member “reason” of event “gap” is missing"),
            (#"{"seq":0,"seq":1,"at":0,"event":"end"}"#, "duplicate key “seq”, at byte 9"),
        ])
    func broken(_ line: String, _ message: String) throws {
        let error = #expect(throws: FormatError.self) { try EventLine(parsing: Array(line.utf8)) }
        #expect(error?.description == message)
    }

    @Test("A written line parses to the same event")
    func writing() throws {
        let line = EventLine(
            seq: 12, at: 1234.56789, kind: .action, store: "detail",
            members: [("action", ["type": "a/b"]), ("patch", []), ("took", 0.5)])
        #expect(
            String(decoding: line.bytes, as: UTF8.self)
                == #"{"seq":12,"at":1234.568,"event":"action","store":"detail","action":{"type":"a/b"},"patch":[],"took":0.5}"#
        )
        let read = try EventLine(parsing: line.bytes)
        #expect(read.members == line.members)
        #expect(read.type == line.type)
        #expect(read.size("patch") == 2)
        #expect(EventLine(seq: 9, at: 5, kind: .gap, count: 4, members: [("reason", "memory")]).first == 6)
        #expect(EventLine(seq: 0, at: 0.0004, kind: .end).at.text == "0")
    }

    @Test(
        "The error of an invalid header names the member",
        arguments: [
            (#"{"session":"0123456789","app":{"id":"a"},"started":"x"}"#, "member “tape” of the header is missing"),
            (
                #"{"tape":2,"session":"0123456789","app":{"id":"a"},"started":"x"}"#,
                "the tape is of format version 2, and only 1 is known here"
            ),
            (
                #"{"tape":1,"session":"../../../etc","app":{"id":"a"},"started":"x"}"#,
                "member “session” of the header must be 10 to 64 letters, digits, “-” and “_”"
            ),
            (
                #"{"tape":1,"session":"0123456789","app":{},"started":"x"}"#,
                "member “id” of “app” of the header is missing"
            ),
            (#"{"tape":1,"session":"0123456789","app":{"id":"a"}}"#, "member “started” of the header is missing"),
            (
                #"{"tape":1,"session":"0123456789","app":{"id":"a"},"started":"x","labels":{"a":1}}"#,
                "member “labels” of the header must be an object of strings"
            ),
        ])
    func brokenHeader(_ text: String, _ message: String) throws {
        let json = try JSON(parsing: text)
        let error = #expect(throws: FormatError.self) { try Header(json) }
        #expect(error?.description == message)
    }

    @Test("A message is split into lines at its newlines")
    func messageLines() {
        func lines(_ text: String) -> [String] { Array(text.utf8).lines.map { String(decoding: $0, as: UTF8.self) } }
        #expect(lines("a\nbc\n\nd") == ["a", "bc", "d"])
        #expect(lines("\n\na\n") == ["a"])
        #expect(lines("").isEmpty && lines("\n").isEmpty)
    }
}
