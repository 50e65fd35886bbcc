#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    private enum CartError: Error {
        case empty
        case tooMany(limit: Int)
    }

    @Suite("A reducer that throws", .timeLimit(.minutes(1)))
    struct ThrowingReducerTests {
        private let scene = SpoolScene()
        private var file: URL { scene.place.appendingPathComponent("a.tape") }

        private func events(_ record: (Track<TestState, TestAction>, inout TestState) throws -> Void) throws
            -> [EventLine]
        {
            try FileManager.default.createDirectory(at: scene.place, withIntermediateDirectories: true)
            let tape = Recorder(.init(file: file.path))
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            try record(track, &state)
            tape.finish()
            withExtendedLifetime(track) {}
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).dropFirst()
                .map { try EventLine(parsing: Array($0)) }
        }

        @Test("The error is on the action's event, with the state that the reducer left")
        func error() throws {
            let events = try events { track, state in
                #expect(throws: CartError.self) {
                    try track.record(.increment, &state) { state throws(CartError) in
                        state.count = 7
                        throw .tooMany(limit: 3)
                    }
                }
                track.record(.increment, &state) { reduce(&$0, .increment) }
            }
            try #require(events.map(\.kind) == [.`init`, .action, .action, .end])
            #expect(events[1]["error"] == "CartError.tooMany(limit: 3)")
            #expect(events[1]["patch"] == [["op": "replace", "path": "/count", "value": 7]])
            #expect(events[2].raw("error") == nil)
        }

        @Test("The error of a change that has no action is on its event, too")
        func change() throws {
            let events = try events { track, state in
                #expect(throws: CartError.self) {
                    try track.set(&state) { state throws(CartError) in
                        state.count = 7
                        throw .empty
                    }
                }
                track.set(&state) { $0.count = 8 }
            }
            try #require(events.map(\.kind) == [.`init`, .replace, .replace, .end])
            #expect(events[1]["error"] == "CartError.empty" && events[1]["cause"] == ["set": true])
            #expect(events[1]["patch"] == [["op": "replace", "path": "/count", "value": 7]])
            #expect(events[2].raw("error") == nil)
        }

        @Test("An action that a reducer dispatches has its own error, and one that it catches stays with that action")
        func nested() throws {
            let events = try events { track, state in
                var inner = TestState()
                track.record(.todos(.add(title: "outer")), &state) { state in
                    state.count = 1
                    try? track.record(.todos(.toggle(1)), &inner) { _ in throw CartError.empty }
                }
                try? track.record(.todos(.add(title: "both")), &state) { state in
                    try track.record(.increment, &inner) { _ in throw CartError.empty }
                }
            }
            #expect(events.map(\.type) == [nil, "todos/toggle", "todos/add", "increment", "todos/add", nil])
            #expect(
                events.map { $0["error"]?.string }
                    == [nil, "CartError.empty", nil, "CartError.empty", "CartError.empty", nil])
        }

        @Test("Errors stay with their actions when many threads and tasks throw")
        func concurrent() async throws {
            let tracks = 8
            try FileManager.default.createDirectory(at: scene.place, withIntermediateDirectories: true)
            let tape = Recorder(.init(file: file.path))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<tracks {
                    let track = tape.track(TestState(), TestAction.self, name: "s\(index)")
                    group.addTask {
                        for number in 0..<100 {
                            var state = TestState()
                            try? track.record(.todos(.toggle(number)), &state) { _ in
                                if number % 3 == index % 3 { throw CartError.tooMany(limit: index * 1_000 + number) }
                            }
                            await Task.yield()
                        }
                    }
                }
            }
            tape.finish()
            let events = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).dropFirst()
                .map { try EventLine(parsing: Array($0)) }
            let actions = events.filter { $0.kind == .action }
            #expect(actions.count == tracks * 100)
            for event in actions {
                let (index, number) = (Int(event.store.dropFirst()) ?? 0, event["action"]?["payload"]?["_0"]?.int ?? -1)
                let error = number % 3 == index % 3 ? "CartError.tooMany(limit: \(index * 1_000 + number))" : nil
                if event["error"]?.string != error { Issue.record("\(String(decoding: event.bytes, as: UTF8.self))") }
            }
        }

        @Test("If the app dies of the error, its next launch delivers the action with it")
        func recovered() async throws {
            let tape = scene.recorder("http://127.0.0.1:9/")
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            tape.settle()
            let left = try tape.whileBusy {
                try? track.record(.todos(.add(title: String(repeating: "x", count: 400))), &state) { _ in
                    throw CartError.tooMany(limit: 2)
                }
                try? track.record(.increment, &state) { _ in throw CartError.empty }
                track.record(.increment, &state) { reduce(&$0, .increment) }
                return try scene.asLeft()
            }
            let server = try TestServer()
            let next = left.recorder(server.url)
            let state2 = await server.wait { $0.tapes.values.contains { $0.last?.kind == .end } }
            let events = try #require(state2.tapes.values.first { $0.last?.kind == .end })
            #expect(events.map(\.type) == [nil, "todos/add", "increment", "increment", nil])
            #expect(
                events.map { $0["error"]?.string } == [nil, "CartError.tooMany(limit: 2)", "CartError.empty", nil, nil])
            #expect(events[1...3].allSatisfy { $0["skipped"] == true })
            next.finish(timeout: .seconds(20))
        }
    }
#endif
