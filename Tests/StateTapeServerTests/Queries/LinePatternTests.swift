#if Server
    import Foundation
    import Testing

    @testable import StateTapeServer

    @Suite struct LinePatternTests {
        private func isFound(_ pattern: String, _ text: String) throws -> Bool {
            var pattern = try LinePattern(pattern)
            return try pattern.isFound(in: Array(text.utf8)[...])
        }

        @Test(
            "An expression is found where it matches a part of the line",
            arguments: [
                ("milk", "some milk", true), ("^milk", "some milk", false), ("milk$", "some milk", true),
                ("(?i)MILK", "some milk", true), ("MILK", "some milk", false), ("", "", true), ("^$", "x", false),
                (#"\bid\b"#, #""id":1"#, true), (#"\bid\b"#, "idea", false), (#"\Bid"#, "kid", true),
                (#""seq":1\d{2,3},"#, #""seq":1204,"#, true), (#"1\d{2}$"#, "12", false), ("x{2", "x{2", true),
                ("a.b", "aéb", true), ("a.b", "a😀b", true), ("^a..b", "aéb", false), ("[à-ü]", "é", true),
                ("[^a-z]", "é", true), ("[^à-ü]", "é", false), (#"[\d-]{3}"#, "1-2", true), ("[]x]", "]", true),
                ("(?:ab|c)+d", "ababcd", true), ("(?<name>ab){2,}?c", "ababc", true), (#"\u00e9\x41"#, "éA", true),
                ("(?i)[^A]", "a", false), (#"[\w.]+@"#, "a.b@", true), ("(a*)*b", "aaab", true), ("a||b", "", true),
            ])
        func found(pattern: String, text: String, expected: Bool) throws {
            #expect(try isFound(pattern, text) == expected)
        }

        @Test(
            "What isn't an expression, or needs going back, is refused with the reason and its place",
            arguments: [
                ("(a", "“)” is missing"), ("a)", "without"), ("[a", "missing"), ("*a", "nothing to repeat"),
                (#"\1"#, "not supported"), ("(?=a)", "supported"), ("(?<!a)", "supported"), ("a++", "possessive"),
                ("a{3,2}", "least first"), ("(((a{99}){99}){99})", "steps"), ("[z-a]", "a range"), ("\\", "missing"),
                (String(repeating: "(", count: 200), "deeper"), ("a{1,99999999999999999999}", "up to"),
            ])
        func refused(pattern: String, reason: String) throws {
            let failure = #expect(throws: PatternParser.Failure.self) { try LinePattern(pattern) }
            #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
        }

        @Test("Random expressions match what Foundation's match", arguments: [1, 2, 3, 4] as [UInt64])
        func random(seed: UInt64) throws {
            var chance = Chance(seed)
            var found = 0
            for _ in 0..<400 {
                let pattern = Self.pattern(&chance, depth: 3)
                let expected = try NSRegularExpression(pattern: pattern)
                var own = try LinePattern(pattern)
                for _ in 0..<8 {
                    let text = String((0..<chance.below(8)).map { _ in Array("abc→ ")[chance.below(5)] })
                    let matches =
                        expected.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
                    #expect(try own.isFound(in: Array(text.utf8)[...]) == matches, "\(pattern) in “\(text)”")
                    found += matches ? 1 : 0
                }
            }
            #expect(found > 100 && found < 3_100)
        }

        @Test("An expression that others go back over for ever takes a time in proportion to the line")
        func linear() throws {
            #expect(try !isFound("(a+)+$", String(repeating: "a", count: 20_000) + "b"))
            #expect(try !isFound("(a|a)*(a|a)*c", String(repeating: "a", count: 20_000)))
        }

        @Test("More sets of places than are kept are forgotten, not got wrong; far more are refused")
        func forgotten() throws {
            // Whether the 12th letter from the end is an a: 2^12 sets.
            var chance = Chance(7)
            let text = String((0..<3_000).map { _ in chance.below(2) == 0 ? "a" : "b" } as [Character])
            #expect(try isFound("a[ab]{11}$", text + "a" + String(repeating: "b", count: 11)))
            #expect(try !isFound("a[ab]{11}$", text + "b" + String(repeating: "b", count: 11)))
            #expect(throws: PatternParser.Failure.self) {
                try isFound("(a|b[ab]{900})*c", String(repeating: text, count: 40))
            }
        }

        private static func pattern(_ chance: inout Chance, depth: Int) -> String {
            switch depth == 0 ? chance.below(5) : chance.below(10) {
            case 0, 1: ["a", "b", "c", "→"][chance.below(4)]
            case 2: [".", "[ab]", "[^a]", "[^→]", #"\w"#, #"\s"#][chance.below(6)]
            case 3: [#"\ba"#, "b$", "^a", #"a\B"#, " "][chance.below(5)]
            case 4: "ab"
            case 5, 6: pattern(&chance, depth: depth - 1) + pattern(&chance, depth: depth - 1)
            case 7: "(" + pattern(&chance, depth: depth - 1) + "|" + pattern(&chance, depth: depth - 1) + ")"
            default:
                "(" + pattern(&chance, depth: depth - 1) + ")"
                    + ["*", "+", "?", "{2}", "{1,2}", "{0,3}?"][chance.below(6)]
            }
        }
    }
#endif
