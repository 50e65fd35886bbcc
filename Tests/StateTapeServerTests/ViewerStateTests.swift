#if Server
    import TapeFormat
    import Testing

    @testable import StateTapeServer

    @Suite struct ViewerStateTests {
        private let full = ViewerState.bound + 1

        /// `#expect` can't hold a call that changes the viewer.
        private func expect<Value: Equatable>(
            _ value: Value, _ expected: Value, at place: SourceLocation = #_sourceLocation
        ) {
            #expect(value == expected, sourceLocation: place)
        }

        @Test("A viewer that reads gets what it watches and nothing else")
        func live() {
            var viewer = ViewerState()
            expect(viewer.watch("a", next: 7), .watching(session: "a", next: 7))
            expect(viewer.publish("a", next: 8, outstanding: 0), true)
            expect(viewer.publish("b", next: 8, outstanding: 0), false)
            viewer.unwatch("a")
            expect(viewer.publish("a", next: 9, outstanding: 0), false)
        }

        @Test("A viewer with a full queue misses events, and is told up to where once it has read")
        func behind() {
            var viewer = ViewerState()
            _ = viewer.watch("a", next: 0)
            _ = viewer.watch("b", next: 0)
            expect(viewer.publish("a", next: 5, outstanding: full), false)
            // It stays behind until it has read everything, so that there is one hole and no more.
            expect(viewer.publish("a", next: 6, outstanding: 0), false)
            expect(viewer.publish("b", next: 3, outstanding: 0), true)
            #expect(viewer.isBehind)
            expect(viewer.drained().lines, [.behind(session: "a", next: 6)])
            #expect(!viewer.isBehind)
            expect(viewer.publish("a", next: 7, outstanding: 0), true)
            expect(viewer.drained().lines, [])
        }

        @Test("Summaries that were missed are named once it has read")
        func summaries() {
            var viewer = ViewerState()
            expect(viewer.publish(summaryOf: "a", outstanding: 0), true)
            expect(viewer.publish(summaryOf: "b", outstanding: full), false)
            expect(viewer.drained().missed, ["b"])
            expect(viewer.drained().missed, [])
        }

        @Test("An event goes to viewers as it is, and a member over 16 KiB is left out and named")
        func messages() throws {
            let long = JSON.string(String(repeating: "x", count: 20_000))
            let lines = [Sample.start(0), Sample.full(1, ["text": long]), Sample.count(2, to: 2)]
            let read = try EventMessages.make("SESSION-0001", lines)
                .flatMap { $0.split(separator: UInt8(ascii: "\n")) }
                .map { try ViewerLine(parsing: Array($0)) }
            let expected: [ViewerLine] = [
                .event(session: "SESSION-0001", line: try JSON(parsing: lines[0].bytes), large: []),
                .event(
                    session: "SESSION-0001", line: ["seq": 1, "at": 1, "event": "replace", "cause": ["set": true]],
                    large: ["state"]),
                .event(session: "SESSION-0001", line: try JSON(parsing: lines[2].bytes), large: []),
            ]
            #expect(read == expected)
        }
    }
#endif
