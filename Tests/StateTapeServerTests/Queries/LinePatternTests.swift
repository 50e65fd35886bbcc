#if Server
    import Testing

    @testable import StateTapeServer

    @Suite struct LinePatternTests {
        private func isFound(_ pattern: String, _ text: String) throws -> Bool {
            try LinePattern(pattern).isFound(in: Array("<\(text)>".utf8).dropFirst().dropLast())
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
            "What isn't an expression is refused with the reason and its place",
            arguments: [("(a", "byte 2"), ("a)", "byte 1"), ("[a", "byte 2"), ("*a", "byte 0"), ("[z-a]", "byte 3")])
        func refused(pattern: String, place: String) throws {
            let failure = #expect(throws: LinePattern.Failure.self) { try LinePattern(pattern) }
            #expect(failure?.description.hasSuffix(place) == true, "\(failure?.description ?? "")")
        }

        @Test("An expression that goes back over a line for ever is ended")
        func endless() throws {
            #expect(throws: LinePattern.Failure.self) {
                try isFound("^(a+)+$", String(repeating: "a", count: 20_000) + "b")
            }
        }
    }
#endif
