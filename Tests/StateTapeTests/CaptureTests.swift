#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateCapture
    @testable import StateTape

    /// A state whose array moves if it changes while another copy of the state exists.
    private struct Placed: Codable {
        var items = [0, 0, 0]
        var place: Int { items.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    }

    /// An action that reports when its memory is freed.
    private enum Attachment: Codable {
        case nothing
        case attach(Data)

        static func data(freed: @escaping @Sendable () -> Void) -> Attachment {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
            let deallocator = Data.Deallocator.custom { memory, _ in
                memory.deallocate()
                freed()
            }
            return .attach(Data(bytesNoCopy: memory, count: 64, deallocator: deallocator))
        }
    }

    @MainActor @Suite("A store's capture policy", .timeLimit(.minutes(1)))
    struct CaptureTests {
        private func recorder(
            _ server: TestServer, log: @escaping @Sendable (String) -> Void = { _ in }
        ) -> Recorder {
            Recorder(
                .test(
                    url: server.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: log))
        }

        /// The kinds of the main store's events.
        private func kinds(_ state: TestServer.State) -> [String] {
            state.events.filter { $0.store == "main" }.map { event in
                event["skipped"] == true ? "\(event.kind) skipped" : "\(event.kind)"
            }
        }

        private func counts(_ state: TestServer.State) throws -> [Int] {
            try state.states().compactMap { $0["count"]?.int }
        }

        @Test("Without an interval: one state per written one, and the store's current one once the app is idle")
        func asked() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let track = tape.track(TestState(), TestAction.self, capture: .sampled(every: .zero))
            var state = track.start
            track.connect(state: { state })
            tape.settle()
            tape.whileBusy {
                for _ in 0..<5 { track.record(.increment, &state) { $0.count += 1 } }
            }
            let tail = await server.wait { $0.events.last { $0.store == "main" }?.kind == .replace }
            #expect(kinds(tail) == ["init", "action"] + [String](repeating: "action skipped", count: 4) + ["replace"])
            #expect(tail.events.last { $0.store == "main" }?["cause"] == ["capture": "trailing"])
            #expect(try counts(tail) == [0, 1, 5])
        }

        @Test("Without a state closure, the next action carries the state")
        func unconnected() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let track = tape.track(TestState(), TestAction.self, capture: .sampled(every: .zero))
            var state = track.start
            tape.settle()
            tape.whileBusy {
                for _ in 0..<2 { track.record(.increment, &state) { $0.count += 1 } }
            }
            tape.settle()
            track.record(.increment, &state) { $0.count += 1 }
            let end = await server.wait { (try? $0.states().last?["count"]) == 3 }
            #expect(kinds(end) == ["init", "action", "action skipped", "action"])
        }

        @Test(
            "Sampled and latest: at most one state per interval, and the store's current one at the end",
            arguments: [(StateTape.Capture.sampled(every: .milliseconds(20)), 20.0), (.latest, 16)])
        func sampled(capture: StateTape.Capture, span: Double) async throws {
            let server = try TestServer()
            let track = recorder(server).track(TestState(), TestAction.self, capture: capture)
            var state = track.start
            track.connect(state: { state })
            for _ in 0..<500 {
                track.record(.increment, &state) { $0.count += 1 }
                await Task.yield()
            }
            let end = await server.wait { $0.have > 500 && (try? $0.states().last?["count"]) == 500 }
            let times = end.events.filter { $0.raw("state") ?? $0.raw("patch") != nil }.map { $0.at.double }
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= span - 0.01 })
            #expect(end.events.filter { $0.kind == .action }.count == 500)
        }

        @Test("Actions faster than the recorder lose their states, and no action is lost")
        func flood() throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let tape = Recorder(
                .test(
                    launch: Launch(environment: ["STATETAPE_FILE": path], arguments: ["/bin/test-app"]), log: { _ in }))
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            let count = CaptureQueue.maxCount + 5_000
            tape.settle()
            tape.whileBusy {
                for _ in 0..<count { track.record(.increment, &state) { $0.count += 1 } }
            }
            tape.settle()
            track.record(.increment, &state) { $0.count += 1 }
            tape.finish(timeout: .seconds(60))
            let events = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map {
                try EventLine(parsing: Array($0.utf8))
            }
            let actions = events.filter { $0.store == "main" && $0.kind == .action }
            #expect(actions.count == count + 1)
            #expect(events.allSatisfy { $0.kind != .gap })
            #expect(actions.contains { $0["skipped"] == true })
            // States are recorded again once there is room.
            #expect(actions.last?["skipped"] == nil)
            withExtendedLifetime(track) {}
        }

        @Test("Actions only: states come with attach, set and applied states")
        func actionsOnly() async throws {
            let server = try TestServer()
            let track = recorder(server).track(TestState(), TestAction.self, capture: .actionsOnly)
            var state = track.start
            func send(_ action: TestAction) { track.record(action, &state) { reduce(&$0, action) } }
            track.connect(state: { state }, dispatch: send, play: { state = $0 })
            send(.increment)
            track.set(&state) { $0.filter = "done" }
            await server.wait(forEvents: 3)
            let action = await server.push("a", .action(["type": "increment"]))
            #expect(action == .played(seq: 3))
            let played = await server.push("b", .state(["todos": [], "count": 7, "filter": ""]))
            #expect(played == .played(seq: 4))
            send(.increment)
            await server.wait(forEvents: 6)
            #expect(
                kinds(server.state) == [
                    "init", "action skipped", "replace", "action skipped", "replace", "action skipped",
                ])
            #expect(try counts(server.state) == [0, 1, 7])
        }

        @Test("An applied state is on the tape under every policy")
        func pushed() async throws {
            let server = try TestServer()
            let track = recorder(server).track(
                TestState(), TestAction.self, capture: .sampled(every: .seconds(3_600)))
            var state = track.start
            track.connect(state: { state }, play: { state = $0 })
            await server.wait(forEvents: 1)
            let pushed = await server.push("p", .state(["todos": [], "count": 7, "filter": ""]))
            #expect(pushed == .played(seq: 1))
            #expect(try counts(server.state) == [0, 7])
        }

        @Test("A state that is not captured is not kept: the app changes it in place")
        func notKept() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            /// How often the array moved for ten actions.
            func moves(_ capture: StateTape.Capture) -> Int {
                let track = tape.track(Placed(), TestAction.self, capture: capture)
                var state = track.start
                // Separates its storage from the initial state, which the track keeps.
                state.items[0] += 1
                tape.settle()
                return tape.whileBusy {
                    (0..<10).filter { _ in
                        let before = state.place
                        track.record(.increment, &state) { $0.items[0] += 1 }
                        return state.place != before
                    }.count
                }
            }
            #expect(moves(.actionsOnly) == 0)
            // The first is captured, so the second copies its storage.
            #expect(moves(.sampled(every: .zero)) == 1)
            #expect(moves(.sampled(every: .seconds(3_600))) == 0)
            #expect(moves(.every) == 9)
        }

        @Test("States beyond the bound are skipped, and the store's current one follows")
        func tooMany() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            track.connect(state: { state })
            track.set(&state) { $0.filter = String(repeating: "x", count: 1 << 19) }
            tape.settle()
            tape.whileBusy {
                for _ in 0..<300 { track.record(.increment, &state) { $0.count += 1 } }
            }
            let end = await server.wait { $0.events.last?.kind == .replace && $0.have > 300 }
            let skipped = kinds(end).filter { $0 == "action skipped" }.count
            #expect((170..<175).contains(skipped))
            #expect(try counts(end).last == 300)
        }

        @Test("Dropped events leave a gap, and the store's current state follows")
        func dropped() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let track = tape.track(TestState(), TestAction.self)
            var state = track.start
            track.connect(state: { state })
            tape.settle()
            let count = CaptureQueue.maxCount
            let long = TestAction.todos(.add(title: String(repeating: "x", count: 10_000)))
            tape.whileBusy {
                for _ in 0..<count { track.record(long, &state) { $0.count += 1 } }
            }
            let end = await server.wait { $0.events.last?["cause"] == ["capture": "trailing"] }
            let gap = try #require(end.events.first { $0.kind == .gap })
            #expect(gap["reason"] == "capture" && gap.count > count / 4 && gap.count < count)
            #expect(try counts(end).last == count)
        }

        @Test("Dropped events are freed on a separate thread, with no lock held")
        func freed() throws {
            let tape = recorder(try TestServer())
            let track = tape.track(TestState(), Attachment.self, capture: .actionsOnly)
            var state = track.start
            tape.settle()
            let (here, there) = (pthread_self(), Locked<[pthread_t]>([]))
            let isFreed = DispatchSemaphore(value: 0)
            tape.whileBusy {
                track.record(
                    .data {
                        there.withLock { $0.append(pthread_self()) }
                        // Would deadlock in the recorder's own lock.
                        tape.note("freed")
                        isFreed.signal()
                    }, &state
                ) { _ in }
                let long = Attachment.attach(Data(count: 10_000))
                for _ in 0..<CaptureQueue.maxCount { track.record(long, &state) { _ in } }
                isFreed.wait()
            }
            let threads = there.withLock { $0 }
            #expect(threads.count == 1 && !threads.contains { pthread_equal($0, here) != 0 })
        }

        @Test("A reducer that throws is recorded")
        func throwing() async throws {
            let server = try TestServer()
            let track = recorder(server).track(TestState(), TestAction.self)
            var state = track.start
            #expect(throws: CancellationError.self) {
                try track.record(.increment, &state) { state in
                    state.count = 1
                    throw CancellationError()
                }
            }
            let events = await server.wait(forEvents: 2)
            #expect(events[1].type == "increment")
            #expect(try counts(server.state) == [0, 1])
        }

        @Test("A pattern that is not a pointer is ignored with a message")
        func patterns() {
            var messages: [String] = []
            let capture = StateTape.Capture.latest.only("/todos", "count").except("/todos/*/title")
            let slice = capture.slice(at: nil) { messages.append($0) }
            #expect(messages.count == 1 && messages[0].contains("“count”"))
            guard case .some(let todos)? = slice?.member("todos"), case .some(let todo) = todos.element else {
                Issue.record("no part of the todos is left out")
                return
            }
            #expect(isNone(todo.member("title")) && !isNone(todo.member("done")))
            #expect(slice.map { isNone($0.member("count")) } == true)
            #expect(StateTape.Capture.every.slice(at: nil) { messages.append($0) } == nil)
        }

        private func isNone(_ part: Slice.Part) -> Bool {
            if case .none = part { true } else { false }
        }
    }
#endif
