#if os(Linux)
    import DispatchContext
    import Foundation
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("Call stacks", .timeLimit(.minutes(2)))
    struct CallStackTests {
        private let server: TestServer

        init() throws {
            server = try TestServer()
        }

        private func recorder(_ isOn: Bool = true) -> Recorder {
            var options = Recorder.Configuration.test(url: server.url)
            options.callStacks = isOn
            return Recorder(options)
        }

        private func actions(_ count: Int) async -> [EventLine] {
            await server.wait { $0.events.filter { $0.kind == .action }.count >= count }.events
                .filter { $0.kind == .action }
        }

        private func functions(_ event: EventLine) -> [String] {
            event["stack"]?.array?.compactMap(\.string) ?? []
        }

        // What follows the call keeps the function on the stack.
        @inline(never) private func pressButton(_ act: () -> Void) -> Int {
            act()
            return #line
        }

        @inline(never) private func descend(_ depth: Int, _ act: () -> Void) -> Int {
            if depth == 0 { act() } else { _ = descend(depth - 1, act) }
            return depth
        }

        @Test("Without the option, an event has none")
        func off() async {
            let store = MainStore(recorder(false))
            store.send(.increment)
            #expect(await actions(1)[0].raw("stack") == nil)
        }

        @Test("The functions that led to the dispatch are named, the innermost first, without the recorder's")
        func named() async {
            let store = MainStore(recorder())
            _ = pressButton { store.send(.increment) }
            let functions = functions(await actions(1)[0])
            #expect(functions[0].hasPrefix("StateTapeTests.MainStore.send("))
            #expect(functions[1].hasPrefix("closure #1") && functions[1].contains("CallStackTests.named()"))
            #expect(functions[2].contains("CallStackTests.pressButton"))
            #expect(!functions.contains { $0.contains("StateTape.Track") || $0.contains("DispatchContext") })
            #expect(functions.last?.contains("(libc.") == false)
        }

        @Test("The store's own functions are left out, and a store without call sites has call stacks")
        func stores() async {
            let tape = recorder()
            let store = Store<Int, Int>(initial: 0, reducer: { $0 += $1 }).taped(by: tape)
            _ = pressButton { store.dispatch(1) }
            let own = functions(await actions(1)[0])
            #expect(own[0].hasPrefix("closure #2") && own[1].contains("pressButton"))
            let track = tape.track(0, Int.self, name: "bare")
            var state = track.start
            _ = pressButton { track.record(1, &state) { $0 += 1 } }
            let bare = await actions(2)[1]
            #expect(bare.raw("caller") == nil)
            #expect(functions(bare)[0].hasPrefix("closure #") && functions(bare)[1].contains("pressButton"))
        }

        @Test("Each recipe's tape has the function that dispatched", arguments: Recipe.all)
        func recipes(_ name: String, _ make: Recipe.Make) async throws {
            let recipe = make(recorder())
            _ = pressButton { recipe.act() }
            let action = try #require(await actions(1).first)
            #expect(functions(action).contains { $0.contains("Recipe") }, "\(functions(action))")
            // The recorder itself dispatched a pushed action.
            _ = await server.push("p", store: action.store, .action(try #require(action["action"])))
            #expect(server.state.events.last { $0.kind == .action }?.raw("stack") == nil)
        }

        @Test("An action with the call stack of an earlier one names that event, for a while")
        func again() async {
            let store = MainStore(recorder())
            let count = CallStackWriter.reach + 2
            for _ in 0..<count { _ = pressButton { store.send(.increment) } }
            let events = await actions(count)
            #expect(functions(events[0]).count > 2)
            #expect(events[1]["stack"] == ["seq": 1])
            #expect(events[CallStackWriter.reach - 1]["stack"] == ["seq": 1])
            #expect(functions(events[CallStackWriter.reach]) == functions(events[0]))
            #expect(
                events[CallStackWriter.reach + 1]["stack"] == ["seq": .number(JSON.Number(CallStackWriter.reach + 1))])
        }

        @Test("A deep call stack is cut")
        func deep() async {
            let store = MainStore(recorder())
            _ = descend(200) { store.send(.increment) }
            let functions = functions(await actions(1)[0])
            #expect(functions.count == Limits.stackFrames)
            #expect(functions.last == "…")
            #expect(functions[10].contains("descend"))
        }

        @Test("A queued action has the call stack of its first dispatch", arguments: [true, false])
        func queued(_ hasCallSite: Bool) async throws {
            let tape = recorder()
            let track = tape.track(0, Int.self)
            let state = Locked(track.start)
            func send(_ number: Int) {
                func record() { state.withLock { state in track.record(number, &state) { $0 += number } } }
                if hasCallSite { track.dispatch { record() } } else { record() }
            }
            track.connect(
                state: { state.withLock { $0 } }, dispatch: { send($0) }, play: { new in state.withLock { $0 = new } })
            server.send(.control(Control(locked: true)))
            _ = await server.push("locked", store: "none", .state(1))
            _ = pressButton { send(1) }
            await server.wait { $0.queued == 1 }
            server.send(.control(Control(locked: false, queue: .replay)))
            #expect(functions(await actions(1)[0]).contains { $0.contains("pressButton") })
        }

        @Test("An action of a task has the functions of its task")
        func task() async {
            let store = MainStore(recorder())
            await Task { _ = pressButton { store.send(.increment) } }.value
            let functions = functions(await actions(1)[0])
            #expect(functions[2].contains("pressButton"))
            #expect(functions[3].contains("CallStackTests.task()") && !functions[3].contains("resume partial"))
        }
    }
#endif
