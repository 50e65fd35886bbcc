import Testing

@testable import StateTapeServer
@testable import TapeEngine

@Suite struct RegularExpressionTests {
    private func isFound(_ pattern: String, _ text: String) throws -> Bool {
        try RegularExpression(pattern).isFound(in: Array("<\(text)>".utf8).dropFirst().dropLast(), limit())
    }

    /// - Parameter isCancelled: Whether the search is cancelled from the start.
    private func limit(_ time: Duration = .milliseconds(50), isCancelled: Bool = false) -> SearchLimit {
        SearchLimit(deadline: .now + time) { isCancelled }
    }

    @Test(
        "An expression is found where it matches a part of the line",
        arguments: [
            ("milk", "some milk", true), ("^milk", "some milk", false), ("milk$", "some milk", true),
            ("(?i)MILK", "some milk", true), ("MILK", "some milk", false), ("", "", true), ("^$", "x", false),
            (#"\bid\b"#, #""id":1"#, true), (#"\bid\b"#, "idea", false),
            (#""seq":1\d{2,3},"#, #""seq":1204,"#, true), (#"1\d{2}$"#, "12", false),
            ("a.b", "aéb", true), ("a.b", "a😀b", true), ("^a..b", "aéb", false), ("[à-ü]", "é", true),
            ("[^à-ü]", "é", false), (#"\u00e9\x41"#, "éA", true), ("(?=a)a", "a", true), ("[]", "a", false),
        ])
    func found(pattern: String, text: String, expected: Bool) throws {
        #expect(try isFound(pattern, text) == expected)
    }

    @Test(
        "A bad expression is refused with the reason and its position",
        arguments: [("(a", "byte 2"), ("a)", "byte 1"), ("[a", "byte 2"), ("*a", "byte 0"), ("[z-a]", "byte 3")])
    func refused(pattern: String, place: String) throws {
        let failure = #expect(throws: RegularExpression.Failure.self) { try RegularExpression(pattern) }
        #expect(failure?.description.hasSuffix(place) == true, "\(failure?.description ?? "")")
    }

    /// Each would take minutes, years or more in a line of one megabyte.
    private static let slow = [
        #"(?=(a+))a*[bc]\1"#, "^(a+)+$", "(a*)*c", "(?:a?){50}a{50}c", "a*a*a*a*a*c", #"(.*)\1c"#,
        #"(?=(.+))(?=(.+)).*[cd]\1\2"#, "(?:(?=(a*))a)*c", "([a-z]+)*[^a-z]{2}", "(?R)?a+(a|aa)+$",
    ]

    @Test("An expression that backtracks forever is stopped in time", arguments: slow)
    func endless(pattern: String) throws {
        let line = Array((String(repeating: "a", count: 1 << 20) + "b").utf8)
        let failure = #expect(throws: RegularExpression.Failure.self) {
            try RegularExpression(pattern).isFound(in: line[...], limit())
        }
        let reasons = ["it takes longer than", "it needs too many resources"]
        #expect(reasons.contains { failure?.description.contains($0) == true }, "\(String(describing: failure))")
    }

    @Test("A cancelled expression is stopped, however much time is left")
    func cancelled() throws {
        let line = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        #expect(throws: SearchLimit.Cancelled.self) {
            try RegularExpression(Self.slow[0]).isFound(in: line[...], limit(.seconds(100_000), isCancelled: true))
        }
    }

    @Test(
        "A long line gives the same result as a short one",
        arguments: ["x.*y", "[a-z]+y$", "x(.*)y"])
    func long(pattern: String) throws {
        for count in [10, 1_000, 100_000] {
            let text = "x" + String(repeating: "ab", count: count)
            let limit = limit(.seconds(50))
            #expect(try RegularExpression(pattern).isFound(in: Array((text + "y").utf8)[...], limit))
            #expect(try !RegularExpression(pattern).isFound(in: Array((text + "z").utf8)[...], limit))
        }
    }
}
