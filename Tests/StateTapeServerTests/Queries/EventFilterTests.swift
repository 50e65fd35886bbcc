import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeEngine

@Suite struct EventFilterTests {
    /// Whether an event passes: by its head if that is enough, else by its line.
    private func passes(_ line: EventLine, _ conditions: (String, String)...) throws -> Bool {
        let filter = try query(conditions).filter { [2, 7] }
        if let decided = filter.passes(EventHead(line)) { return decided }
        return try filter.passes(line.bytes[...])
    }

    private func query(_ conditions: [(String, String)]) throws -> Query {
        let request = HTTPRequest(method: "GET", path: "/", query: conditions.map { (name: $0, value: $1) })
        return try Query(request, "bookmarked", lists: EventFilter.names)
    }

    private let line = Sample.action(
        1, store: "lists", type: "todos/add", ("patch", [["op": "remove", "path": "/Milk"]]))

    @Test("Type, store and text match exactly, except for the case of ASCII text")
    func simple() throws {
        #expect(try passes(line))
        #expect(try passes(line, ("type", "todos/add")) && passes(line, ("type", "todos")))
        #expect(try !passes(line, ("type", "todo")) && !passes(line, ("type", "todos/add/all")))
        #expect(try passes(line, ("store", "lists")) && !passes(line, ("store", "main")))
        #expect(try passes(line, ("q", "mILK")) && passes(line, ("q", "")) && !passes(line, ("q", "bread")))
        #expect(try passes(line, ("type", "todos"), ("store", "lists"), ("q", "milk")))
        #expect(try !passes(line, ("type", "todos"), ("store", "lists"), ("q", "bread")))
    }

    @Test(
        "A type's star matches any text, and a path of types matches down to a slash",
        arguments: [
            ("*", true), ("todos/*", true), ("*/add", true), ("*o*/a*", true), ("t*s", true), ("*os/add", true),
            ("todos*", true), ("*DO*", true), ("ToDos", true), ("*a", false), ("todos/*x", false), ("x*", false),
            ("*do", false),
        ])
    func types(pattern: String, expected: Bool) throws {
        #expect(NamePattern(pattern, endsAtSlash: true).matches("todos/add") == expected)
    }

    @Test("A store's star matches any text in any case, and a slash is a normal character")
    func stores() throws {
        for (pattern, isMeant) in [
            ("a/b", true), ("A/B", true), ("*b", true), ("*/*", true), ("a", false), ("a/", false), ("b", false),
        ] {
            #expect(NamePattern(pattern).matches("a/b") == isMeant, "\(pattern)")
        }
    }

    @Test("Words are found in an event's content, not in the format's own names and numbers")
    func words() throws {
        let action = EventLine(
            seq: 123, at: 456.5, kind: .action, store: "lists",
            members: [
                ("action", ["type": "todos/add", "payload": ["title": "Milk \"x\"", "payload": 77]]),
                (
                    "patch",
                    [
                        ["op": "replace", "path": "/todos/3", "value": ["done": true]],
                        ["op": "move", "from": "/a", "path": "/b"],
                    ]
                ),
                ("took", 0.25), ("caller", "TodoView.swift:41"), ("dispatch", 888),
            ])
        for word in [
            "milk", "title", "\"payload\":77", "todos/add", "LISTS", "/todos/3", "done", "{\"done\":true}", "/a",
            "swift:41",
        ] {
            #expect(try passes(action, ("q", word)) && !passes(action, ("-q", word)), "\(word)")
        }
        for word in [
            "action", "patch", "replace", "move", "value", "path", "from", "type", "seq", "123", "456", "0.25",
            "888",
            "add\",\"payload", "}]",
        ] {
            #expect(try !passes(action, ("q", word)) && passes(action, ("-q", word)), "\(word)")
        }
        let gap = EventLine(seq: 9, at: 1, kind: .gap, count: 5, members: [("reason", "capture")])
        #expect(try passes(gap, ("q", "gap")) && passes(gap, ("q", "capture")) && !passes(gap, ("q", "5")))
        let spaced = try EventLine(
            parsing: Array(
                #"{ "seq" : 3 , "at" : 1 , "event" : "note" , "text" : "a \"patch\" }" , "level" : "error" }"#.utf8)
        )
        #expect(
            try passes(spaced, ("q", "patch")) && passes(spaced, ("q", "error")) && !passes(spaced, ("q", "level")))
    }

    @Test("A value is found however its number, string or position in a pointer is written")
    func spellings() throws {
        func line(_ value: String, path: String = "/n") throws -> EventLine {
            try EventLine(
                parsing: Array(
                    #"{"seq":1,"at":1,"event":"action","action":{"type":"a"},"patch":[{"op":"add","path":"\#(path)","value":\#(value)}]}"#
                        .utf8))
        }
        for (value, texts) in [
            ("150", ["150", "150.0", "1.5e2", "15E1", "1500e-1", "\"150\""]), ("0", ["0", "0.0", "0e5"]),
            ("-1.05", ["-1.05", "-105e-2", "-1.050"]), ("1e3", ["1000", "1.0e3", "\"1e3\""]),
            ("a/b", [#""a/b""#, #""a\/b""#, #""\u0061/b""#]), ("x\"~", [#""x\"~""#]),
            ("é", [#""\u00e9""#, "\"é\""]),
        ] {
            for text in texts { #expect(try passes(line(text), ("value", value)), "\(value) as \(text)") }
        }
        for (value, text) in [
            ("150", "1500.5"), ("150", "15"), ("150", "1.5"), ("150", "-150"), ("150", "1050"),
            ("150", "\"150.0\""),
            ("0", "10"), ("1005", "1050"), ("105", "10.50"), ("a/b", "\"a\""),
        ] {
            #expect(try !passes(line(text), ("value", value)), "\(value) in \(text)")
        }
        #expect(try passes(line("1", path: "/x/150"), ("value", "150")))
        #expect(
            try passes(line("1", path: "/a~1b/~0"), ("value", "a/b"))
                && passes(line("1", path: "/a~1b/~0"), ("value", "~")))
    }

    @Test("Words and expressions are ANDed, other conditions with one name are ORed, and negations exclude")
    func several() throws {
        for (name, met, other) in [
            ("type", "todos", "sync"), ("store", "lists", "main"), ("path", "/Milk", "/bread"),
            ("value", "milk", "bread"),
        ] {
            #expect(
                try passes(line, (name, met), (name, other)) && passes(line, (name, other), (name, met)), "\(name)")
            #expect(try !passes(line, (name, met), ("-" + name, met)) && !passes(line, (name, other)), "\(name)")
        }
        #expect(try !passes(line, ("path", "/bread"), ("value", "milk")))
        #expect(try !passes(line, ("re", "Milk"), ("re", "bread")))
        #expect(try passes(line, ("q", "milk"), ("q", "todos")) && !passes(line, ("q", "milk"), ("q", "bread")))
        for (name, met, other) in [
            ("type", "todos", "sync"), ("store", "lists", "main"), ("q", "milk", "bread"), ("re", "M.lk", "m.lk"),
            ("path", "/Milk/2", "/milk"), ("value", "milk", "bread"),
        ] {
            #expect(try passes(line, (name, met)) && !passes(line, (name, other)), "\(name)")
            #expect(try !passes(line, ("-" + name, met)) && passes(line, ("-" + name, other)), "\(name)")
        }
        let note = EventLine(seq: 1, at: 1, kind: .note, members: [("text", "x")])
        #expect(try !passes(note, ("type", "todos")) && passes(note, ("-type", "todos")))
        #expect(try !passes(note, ("path", "")) && passes(note, ("-path", "")))
    }

    @Test("A patch at, above or below a path touches it, as do moves and full states")
    func paths() throws {
        let patch = Sample.action(
            1,
            (
                "patch",
                [
                    ["op": "replace", "path": "/a/b", "value": 1], ["op": "remove", "path": "/c~1d"],
                    ["op": "remove", "path": "/e"], ["op": "move", "from": "/f/1", "path": "/g"],
                ]
            ))
        for (path, isTouched) in [
            ("/a", true), ("/a/b", true), ("/a/b/c", true), ("/a/c", false), ("/ab", false), ("/c~1d", true),
            ("/c", false), ("/g", true), ("/f", true), ("/f/1/x", true), ("/f/2", false), ("", true),
        ] {
            #expect(try passes(patch, ("path", path)) == isTouched, "\(path)")
            #expect(try passes(patch, ("-path", path)) != isTouched, "\(path)")
        }
        #expect(try passes(Sample.start(0), ("path", "/n")))
        #expect(try !passes(Sample.action(1, ("skipped", true)), ("path", "/n")))
        #expect(try !passes(Sample.action(1, ("patch", [])), ("path", "")))
    }

    @Test("A star in a path stands for any one index or key")
    func anyStep() throws {
        let patch = Sample.action(
            1, ("patch", [["op": "replace", "path": "/lists/3/todos/0/done", "value": true]]))
        for (path, isTouched) in [
            ("/lists/*/todos", true), ("/lists/*", true), ("/*", true), ("/lists/*/todos/*/done", true),
            ("/lists/*/todos/*/done/deep", true), ("/*/3/*", true), ("/lists/*/names", false), ("/*/todos", false),
            ("/lists/*/todos/1", false), ("/li*", false),
        ] {
            #expect(try passes(patch, ("path", path)) == isTouched, "\(path)")
            #expect(try passes(patch, ("-path", path)) != isTouched, "\(path)")
        }
        #expect(try passes(patch, ("path", "/none"), ("path", "/lists/*")))
    }

    @Test("Words are found whatever the case of their letters, and with quotes and line breaks")
    func cases() throws {
        func note(_ text: String) -> EventLine {
            EventLine(seq: 1, at: 1, kind: .note, members: [("text", .string(text))])
        }
        for (text, word) in [
            ("Äpfel", "äpfel"), ("äpfel", "ÄPFEL"), ("МОЛОКО", "молоко"), ("ΑΠΌ", "από"),
            ("say \"hi\"", "SAY \"HI\""), ("two\nlines", "two\nlines"), ("back\\slash", "back\\s"),
        ] {
            #expect(try passes(note(text), ("q", word)), "\(word)")
            #expect(try !passes(note(text), ("q", word + "x")) && !passes(note(text), ("-q", word)), "\(word)")
        }
        #expect(try passes(note("STRASSE"), ("q", "straße")))
        #expect(try !passes(note("Apfel"), ("q", "äpfel")))
    }

    @Test("An event has the level of its note; a crash is an error, a part of a state a warning")
    func levels() throws {
        func note(_ level: JSON?) -> EventLine {
            EventLine(
                seq: 1, at: 1, kind: .note, members: [("text", "x")] + (level.map { [("level", $0)] } ?? []))
        }
        #expect(try passes(note("error"), ("level", "ERROR")) && !passes(note("error"), ("level", "warning")))
        #expect(try passes(note(nil), ("level", "info")) && passes(note("debug"), ("level", "de*")))
        #expect(try passes(note("warning"), ("level", "error"), ("level", "warning")))
        #expect(try passes(note("info"), ("-level", "error")) && !passes(note("error"), ("-level", "error")))
        #expect(try passes(Sample.action(1, ("unfinished", true)), ("level", "error")))
        let thrown = Sample.action(1, ("patch", [])).setting("error", to: "CartError.tooMany(limit: 3)")
        #expect(try passes(thrown, ("level", "error")) && !passes(thrown, ("-level", "error")))
        #expect(try passes(thrown, ("q", "toomany")) && passes(thrown, ("q", "carterror"), ("type", "counter")))
        #expect(try !passes(Sample.action(1, ("patch", [])).setting("error", to: 5), ("level", "error")))
        #expect(
            try passes(
                EventLine(seq: 1, at: 1, kind: .end, members: [("reason", "crashed")]), ("level", "error")))
        let applied = EventLine(
            seq: 1, at: 1, kind: .replace, members: [("cause", ["push": "p", "lost": ["/a"]]), ("patch", [])])
        #expect(try passes(applied, ("level", "warning")))
        #expect(try !passes(line, ("level", "*")) && passes(line, ("-level", "*")))
    }

    @Test("A cause finds the events that this one started directly")
    func causes() throws {
        func action(_ cause: JSON) -> EventLine {
            EventLine(
                seq: 9, at: 1, kind: .action, members: [("action", ["type": "a"]), ("patch", []), ("cause", cause)])
        }
        #expect(try passes(action(["seq": 3]), ("cause", "3")) && !passes(action(["seq": 3]), ("cause", "2")))
        #expect(try passes(action(["seq": 3]), ("cause", "2"), ("cause", "03"), ("type", "a")))
        #expect(try !passes(action(["seq": 3]), ("-cause", "3")) && passes(action(["push": "p"]), ("-cause", "3")))
        #expect(try !passes(action(["seq": 12]), ("cause", "12")) && passes(line, ("cause", "")))
    }

    @Test("Events with a bookmark, or without one; a gap has the bookmarks of all its events")
    func bookmarks() throws {
        for (seq, isMarked) in [(1, false), (2, true), (7, true)] {
            #expect(try passes(Sample.action(seq, ("patch", [])), ("bookmarked", "true")) == isMarked)
            #expect(try passes(Sample.action(seq, ("patch", [])), ("bookmarked", "false")) != isMarked)
        }
        let gap = EventLine(seq: 9, at: 1, kind: .gap, count: 4, members: [("reason", "capture")])
        #expect(try passes(gap, ("bookmarked", "true")) && !passes(gap, ("bookmarked", "true"), ("q", "bread")))
        #expect(throws: Problem.self) { try query([("bookmarked", "yes")]).filter { [] } }
    }

    @Test(
        "A value is a part of a string, or a whole number, key, true, false or null, in action, patch or state; quotes make it exact"
    )
    func values() throws {
        let action = EventLine(
            seq: 7, at: 3.5, kind: .action,
            members: [
                ("action", ["type": "todos/add", "payload": ["title": "Say \"hi\"", "price": 1.50, "n": 12]]),
                ("patch", [["op": "add", "path": "/todos/k~1é", "value": ["done": false]]]),
                ("took", 99), ("caller", "File.swift"),
            ])
        for value in [
            "Say \"hi\"", "say", "HI", "\"Say \\\"hi\\\"\"", "1.5", "1.50", "15e-1", "12", "title", "TITLE",
            "todos/add", "add",
            "k/é", "K/É", "todos", "done", "false", "\"todos/add\"", "\"done\"",
        ] {
            #expect(try passes(action, ("value", value)), "\(value)")
        }
        for value in [
            "1", "type", "payload", "op", "replace", "path", "value", "99", "File.swift", "7", "e\u{301}", "titl",
            "true",
            "null", "\"Say\"", "\"12\"", "\"todos/ADD\"", "\"false\"",
        ] {
            #expect(try !passes(action, ("value", value)), "\(value)")
        }
        #expect(try passes(Sample.start(0, ["a": [["b": -0.5]]]), ("value", "-0.50")))
        #expect(try passes(Sample.start(0, ["type": 1]), ("value", "type")))
        let state = Sample.start(0, ["Name": "Milk 1.5", "gone": .null, "say": "say \"Ä\""])
        for value in ["milk", "name", "null", "Ä\"", "ä", "\"Milk 1.5\"", "\"Name\""] {
            #expect(try passes(state, ("value", value)), "\(value)")
        }
        for value in ["1.5", "nam", "true", "\"milk 1.5\"", "\"null\"", "\"name\""] {
            #expect(try !passes(state, ("value", value)), "\(value)")
        }
    }

    @Test("A bad condition is 400 with the reason; so are too many and too long ones")
    func bad() throws {
        func problem(_ conditions: [(String, String)]) -> Problem? {
            #expect(throws: Problem.self) { try query(conditions).filter { [2, 7] } }
        }
        #expect(
            problem([("-re", "(a")])?.detail.contains("“-re” can't be used: missing closing parenthesis, at byte 2")
                == true)
        #expect(problem([("path", "todos")])?.detail.contains("“path”") == true)
        #expect(problem([("q", String(repeating: "x", count: 1_001))])?.status == 400)
        #expect(problem((0..<33).map { ("q", "\($0)") })?.status == 400)
    }
}
