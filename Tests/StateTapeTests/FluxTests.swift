#if os(Linux)
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    @MainActor @Suite("Several stores", .timeLimit(.minutes(1)))
    struct FluxTests {
        private let server: TestServer
        private let tape: Recorder

        init() throws {
            let server = try TestServer()
            self.server = server
            tape = Recorder(
                .test(
                    url: server.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: { _ in }))
        }

        /// A store behind the dispatcher, as in the recipe.
        private func store(
            _ name: String, _ dispatcher: Dispatcher<TestAction>, _ other: Recorder? = nil
        ) -> (store: Store<TestState, TestAction>, registration: Subscription) {
            let track = (other ?? tape).track(TestState(), TestAction.self, name: name)
            let store = Store(initial: track.start, reducer: reduce, middleware: [track.middleware])
            track.connect(
                state: { [weak store] in store?.state }, dispatch: { dispatcher.dispatch($0) },
                play: { [weak store] in store?.replace($0) })
            return (store, dispatcher.register(store))
        }

        private func dispatcher() -> Dispatcher<TestAction> {
            Dispatcher(middleware: [{ [tape] next in { action in tape.dispatch { next(action) } } }])
        }

        private func told(_ events: [EventLine]) -> [String] {
            events.map { "\($0.store) \($0.kind)" }
        }

        @Test("A store's name is free once the store is gone, and a new store starts over")
        func comeAndGo() async throws {
            let main = MainStore(tape)
            var detail: MainStore? = MainStore(tape, name: "detail")
            detail?.send(.increment)
            var second: MainStore? = MainStore(tape, name: "detail")
            second?.send(.increment)
            detail = nil
            main.send(.increment)
            let third = MainStore(tape, initial: TestState(count: 5), name: "detail")
            third.send(.increment)
            second = nil
            tape.finish(timeout: .seconds(20))
            let events = await server.wait(forEvents: 11)
            #expect(events.map(\.seq) == Array(0...10))
            #expect(
                told(events) == [
                    "main init", "detail init", "detail action", "detail#2 init", "detail#2 action", "detail detach",
                    "main action", "detail init", "detail action", "detail#2 detach", "main end",
                ])
            #expect(try server.states(of: "detail").map { $0["count"]?.int } == [0, 1, 5, 6])
            #expect(try server.states(of: "detail#2").map { $0["count"]?.int } == [0, 1])
            withExtendedLifetime((detail, second)) {}
        }

        @Test("A push to a store that is gone is refused, and one to its successor is played")
        func pushAfterDetach() async throws {
            var first: MainStore? = MainStore(tape, name: "detail")
            first?.connect()
            await server.wait(forEvents: 1)
            first = nil
            await server.wait(forEvents: 2)
            let state: Push.Content = .state(["todos": [], "count": 8, "filter": ""])
            guard case .failed(let failure) = await server.push("p1", store: "detail", state) else {
                throw FormatError("it was played")
            }
            #expect(failure.code == .unknownStore)
            let second = MainStore(tape, name: "detail")
            second.connect()
            #expect(await server.push("p2", store: "detail", state) == .played(seq: 3))
            #expect(second.state.count == 8)
            withExtendedLifetime(first) {}
        }

        @Test("Events of one dispatch in several stores share a number; follow-up actions have their own")
        func number() async throws {
            let dispatcher = dispatcher()
            let (first, second) = (store("first", dispatcher), store("second", dispatcher))
            let follows = first.store.subscribe(\.count) {
                if $0 == 1 { dispatcher.dispatch(.todos(.add(title: "a"))) }
            }
            dispatcher.dispatch(.increment)
            second.store.dispatch(.increment)
            let events = await server.wait(forEvents: 7).filter { $0.kind == .action }
            #expect(
                told(events) == [
                    "first action", "second action", "first action", "second action", "second action",
                ])
            let numbers = events.map { $0["dispatch"]?.int }
            #expect(numbers[0] != nil && numbers[0] == numbers[1])
            #expect(numbers[2] != nil && numbers[2] == numbers[3] && numbers[2] != numbers[0])
            #expect(numbers[4] == nil)
            withExtendedLifetime(follows) {}
        }

        @Test("A dispatch inside another has its own number, and the outer one continues after it")
        func inside() async throws {
            let store = MainStore(tape)
            tape.dispatch {
                store.send(.increment)
                tape.dispatch { store.send(.increment) }
                store.send(.increment)
            }
            let numbers = await server.wait(forEvents: 4).dropFirst().map { $0["dispatch"]?.int }
            #expect(numbers == [1, 2, 1])
        }

        @Test("A task that a dispatch starts is not part of it")
        func task() async throws {
            let store = MainStore(tape)
            await tape.dispatch { Task { store.send(.increment) } }.value
            #expect(await server.wait(forEvents: 2)[1]["dispatch"] == nil)
        }

        @Test("A dispatch belongs to its recorder, passes results and errors on, and ends with them")
        func recorder() async throws {
            let other = Recorder(
                .test(
                    launch: Launch(environment: ["STATETAPE_FILE": "/dev/null"], arguments: ["/bin/test-app"]),
                    log: { _ in }))
            let store = MainStore(tape)
            other.dispatch { store.send(.increment) }
            #expect(tape.dispatch { 7 } == 7)
            #expect(throws: FormatError("no")) { try tape.dispatch { throw FormatError("no") } }
            store.send(.increment)
            #expect(await server.wait(forEvents: 3).allSatisfy { $0["dispatch"] == nil })
        }

        @Test("A pushed action reaches every store through the dispatcher with its cause, and one answers")
        func pushAction() async throws {
            let dispatcher = dispatcher()
            let stores = ["first", "second", "third"].map { store($0, dispatcher) }
            let follows = stores[2].store.subscribe(\.count) {
                if $0 == 1 { dispatcher.dispatch(.todos(.add(title: "a"))) }
            }
            await server.wait(forEvents: 3)
            let pushed = await server.push("p", store: "second", .action(["type": "increment"]))
            #expect(pushed == .played(seq: 4))
            dispatcher.dispatch(.increment)
            let events = await server.wait(forEvents: 12)
            #expect(events[3...5].map(\.store) == ["first", "second", "third"])
            #expect(events[3...5].map { $0["cause"] } == Array(repeating: ["push": "p"], count: 3))
            #expect(Set(events[3...5].map { $0["dispatch"]?.int }).count == 1)
            // Neither a store's follow-up action nor the same action of the app was pushed.
            #expect(events[6...].allSatisfy { $0["cause"]?["push"] == nil })
            #expect(stores.allSatisfy { $0.store.state.count == 2 && $0.store.state.todos.count == 1 })
            #expect(server.state.pushed.count == 1)
            withExtendedLifetime(follows) {}
        }

        /// Sends an order and waits until the app has it: the answer to a push comes after.
        private func order(_ control: Control) async {
            server.send(.control(control))
            _ = await server.push("after \(server.state.pushed.count)", store: "none", .state(1))
        }

        @Test("An action dispatched while the app is locked is queued once, and reaches every store once")
        func locked() async throws {
            let dispatcher = dispatcher()
            let stores = ["first", "second"].map { store($0, dispatcher) }
            await order(Control(locked: true))
            dispatcher.dispatch(.increment)
            dispatcher.dispatch(.increment)
            stores[1].store.dispatch(.todos(.add(title: "a")))
            #expect(stores.allSatisfy { $0.store.state == TestState() })
            await order(Control(locked: false, queue: .replay))
            let events = await server.wait { $0.events.filter { $0.kind == .action }.count == 6 }.events
            #expect(stores.allSatisfy { $0.store.state.count == 2 && $0.store.state.todos.count == 1 })
            let numbers = events.compactMap { $0["dispatch"]?.int }
            #expect(numbers.count == 6 && Set(numbers).count == 3)
        }

        @Test("A replayed action reaches only the store that recorded it through the dispatcher")
        func replayed() async throws {
            let states: [String: JSON] = ["first": ["todos": [], "count": 10, "filter": "all"]]
            let server = try TestServer(
                TestServer.Manners(start: Welcome.Start(id: "r", mode: .replay, states: states)))
            let tape = Recorder(.test(url: server.url, startLimit: 20))
            let dispatcher = Dispatcher<TestAction>(
                middleware: [{ next in { action in tape.dispatch { next(action) } } }])
            let stores = ["first", "second"].map { store($0, dispatcher, tape) }
            #expect(stores.map { $0.store.state.count } == [10, 0])
            for (of, store) in [(5, "first"), (6, "second"), (7, "second")] {
                server.send(.replay(Replay(id: "r", of: of, store: store, action: ["type": "increment"])))
            }
            server.send(.replay(Replay(id: "r")))
            let events = await server.wait { !$0.pushed.isEmpty }.events.filter { $0.kind == .action }
            #expect(stores.map { $0.store.state.count } == [11, 2])
            #expect(events.map(\.store) == ["first", "second", "second"])
            #expect(events.map { $0["cause"]?["of"]?.int } == [5, 6, 7])
            // The app is unlocked when it answers the next push.
            _ = await server.push("a", store: "second", .action(["type": "increment"]))
            #expect(stores.map { $0.store.state.count } == [12, 3])
        }

        @Test("A pushed state is applied to its own store alone")
        func pushState() async throws {
            let dispatcher = dispatcher()
            let (first, second) = (store("first", dispatcher), store("second", dispatcher))
            await server.wait(forEvents: 2)
            let state: Push.Content = .state(["todos": [], "count": 8, "filter": ""])
            #expect(await server.push("p", store: "second", state) == .played(seq: 2))
            #expect(first.store.state.count == 0 && second.store.state.count == 8)
        }
    }
#endif
