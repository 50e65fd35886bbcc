#if Server
    import Testing

    @testable import StateTapeServer

    @Suite struct SealTurnsTests {
        private func all(_ turns: inout SealTurns) -> [String] {
            var sessions: [String] = []
            while let session = turns.next() { sessions.append(session) }
            return sessions
        }

        @Test("Each session comes once, in the order in which they were added")
        func order() {
            var turns = SealTurns()
            for number in 0..<300 { turns.add("\(number % 100)") }
            #expect(turns.contains("7") && !turns.contains("100"))
            #expect(all(&turns) == (0..<100).map(String.init))
            #expect(turns.isEmpty && !turns.contains("7"))
            turns.add("7")
            #expect(all(&turns) == ["7"])
        }

        @Test("The lines of an app that goes on gather until there are enough, or the time has come")
        func gathering() {
            var turns = SealTurns()
            turns.gather("slow", lines: 1)
            turns.gather("fast", lines: SealTurns.enough - 1)
            #expect(turns.isGathering && turns.isEmpty && turns.contains("slow"))
            turns.gather("fast", lines: 1)
            #expect(all(&turns) == ["fast"])
            turns.gathered()
            #expect(all(&turns) == ["slow"] && !turns.isGathering)
        }

        @Test("A session whose app has gone waits for no more lines")
        func gone() {
            var turns = SealTurns()
            turns.gather("one", lines: 1)
            turns.add("one")
            turns.gather("one", lines: 1)
            #expect(!turns.isGathering)
            #expect(all(&turns) == ["one"])
        }
    }
#endif
