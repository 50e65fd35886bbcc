import TapeFormat
import Testing

@testable import TapeEngine

@Suite("Path patterns") struct PathPatternTests {
    @Test(
        "“*” matches one token, “**” any number",
        arguments: [
            ("/a/b", "/a/b", true), ("/a/b", "/a", false), ("/a/b", "/a/b/c", false), ("/a/*", "/a/b", true),
            ("/a/*", "/a", false), ("/a/*", "/a/b/c", false), ("/*/b", "/0/b", true),
            ("/**/lastUpdated", "/lastUpdated", true), ("/**/lastUpdated", "/a/0/lastUpdated", true),
            ("/**/lastUpdated", "/lastUpdated/a", false), ("/a/**", "/a", true), ("/a/**", "/a/b/c", true),
            ("/a/**/z", "/a/z", true), ("/a/**/z", "/a/b/c/z", true), ("/a/**/z", "/b/z", false),
            ("/**/a/**/b", "/x/a/y/a/b", true), ("/**/a/**/b", "/x/a/y/b/c", false), ("/**/**/a", "/a", true),
            ("/**/*/a", "/a", false), ("/**/*/a", "/b/a", true), ("/a~1b/c~0", "/a~1b/c~0", true),
            ("/item*", "/item1", false),
            ("/item*", "/item*", true), ("/", "/", true), ("/", "/a", false), ("/é", "/e\u{301}", false),
        ])
    func matching(_ pattern: String, _ path: String, _ expected: Bool) throws {
        let tokens = try Pointer(parsing: path).tokens
        #expect(try PathPattern(pattern).matches(tokens) == expected)
    }

    @Test("A pattern covers what is inside of the values that it matches")
    func covering() throws {
        let pattern = try PathPattern("/cart/*/id")
        for (path, expected) in [
            (["cart", "0", "id"], true), (["cart", "0", "id", "a"], true), (["cart", "0"], false), ([], false),
        ] {
            #expect(pattern.covers(path) == expected, "\(path)")
        }
        #expect(try PathPattern("/**").covers([]))
    }

    @Test("An invalid pattern is rejected with the reason")
    func invalid() {
        for (text, reason) in [
            ("", "must begin with “/”"), ("a/b", "must begin with “/”"), ("/a~2", "“~” without 0 or 1"),
            (String(repeating: "/a", count: 1_000), "deeper than"),
        ] {
            let error = #expect(throws: FormatError.self, "\(text.prefix(20))") { try PathPattern(text) }
            #expect(error?.message.contains(reason) == true, "\(text.prefix(20)): \(error?.message ?? "")")
        }
    }

    @Test("Many “**” in a pattern take no time that grows exponentially", .timeLimit(.minutes(1)))
    func manyStars() throws {
        let pattern = try PathPattern(String(repeating: "/**/a", count: 100) + "/z")
        #expect(!pattern.matches(Array(repeating: "a", count: 500)))
    }

    @Test("Ignored members and elements are left out; of an action, only those of its payload")
    func stripping() throws {
        let ignored = IgnoredPaths(try ["/**/at", "/todos/1", "/payload/id"].map { try PathPattern($0) })
        let state: JSON = [
            "at": 1, "todos": [["at": 2, "text": "a"], ["text": "b"], ["text": "c"]], "payload": ["id": 4],
        ]
        #expect(
            ignored.stripped(state: state) == ["todos": [["text": "a"], ["text": "c"]], "payload": [:]])
        #expect(
            ignored.stripped(action: ["type": "add", "payload": ["id": 7, "at": 1, "n": 2]])
                == ["type": "add", "payload": ["n": 2]])
        let everything = IgnoredPaths([try PathPattern("/**")])
        #expect(everything.stripped(state: [1, 2]) == .null)
        #expect(everything.stripped(action: ["type": "add", "payload": 1]) == ["type": "add"])
    }
}
