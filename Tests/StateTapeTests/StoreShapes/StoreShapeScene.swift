#if os(Linux)
    import Dispatch
    import TapeFormat
    import TapeSockets

    @testable import StateTape

    /// A store of one shape with a recorder and a server, which does one thing with it and compares.
    struct StoreShapeScene {
        private let shape: StoreShape
        private let isFaulty: Bool
        private var random: Seeded
        private(set) var faults: [String] = []
        private var server: TestServer
        private var tape: Recorder

        init(_ shape: StoreShape, _ seed: UInt64, isFaulty: Bool) throws {
            (self.shape, self.isFaulty, random) = (shape, isFaulty, Seeded(seed))
            server = try TestServer()
            tape = Self.recorder(server)
        }

        private static func recorder(_ server: TestServer) -> Recorder {
            Recorder(.test(url: server.url, startLimit: 20))
        }

        private func make() async -> any LedgerStore { await shape.make(tape, isFaulty: isFaulty) }

        private mutating func expect<Value: Equatable>(_ value: Value, _ wanted: Value, _ what: String) {
            if value != wanted { faults.append("\(what): \(value), not \(wanted)") }
        }

        private mutating func expectPlayed(_ result: Pushed.Result?, _ what: String) {
            guard case .played = result else { return faults.append("\(what): \(String(describing: result))") }
        }

        // MARK: The tape

        private func isAction(_ event: EventLine) -> Bool { event.kind == .action }

        /// Waits until the tape has as many actions.
        private func events(withActions count: Int) async -> [EventLine] {
            await server.wait { $0.events.count { $0.kind == .action } >= count }.events
        }

        /// Compares the tape's actions from a state on with its states, and with the store's.
        private mutating func compare(_ events: [EventLine], from start: Ledger = Ledger(), _ store: any LedgerStore)
            async throws
        {
            let folded = start.reduced(events.compactMap { LedgerAction($0["action"]) })
            expect(events.count(where: isAction), events.compactMap { LedgerAction($0["action"]) }.count, "actions")
            expect(await store.ledger(), folded, "the store's state")
            expect(try server.states().last, folded.json, "the tape's state")
        }

        private func send(_ actions: [LedgerAction], to store: any LedgerStore) async {
            for action in actions { await store.send(action) }
        }

        /// An order reaches the app before the answer to a push that follows it.
        private func order(_ control: Control) async {
            server.send(.control(control))
            _ = await server.push("after \(server.state.pushed.count)", store: "none", .state(1))
        }

        // MARK: The columns

        mutating func record() async throws {
            let store = await make()
            let actions = LedgerAction.random(60, &random)
            await send(actions, to: store)
            let events = await events(withActions: 60)
            expect(events.compactMap { LedgerAction($0["action"]) }, actions, "the tape's actions")
            var ledger = Ledger()
            let states =
                [ledger]
                + actions.map { action in
                    ledger.reduce(action)
                    return ledger
                }
            expect(try server.states(), states.map(\.json), "the tape's states")
            try await compare(events, store)
        }

        mutating func apply() async throws {
            let store = await make()
            await send(LedgerAction.random(5, &random), to: store)
            _ = await events(withActions: 5)
            let applied = Ledger(value: 500, seen: [1, 2])
            expectPlayed(await server.push("state", .state(applied.json)), "the push")
            let actions = LedgerAction.random(5, &random)
            await send(actions, to: store)
            let events = await events(withActions: 10)
            try await compare(Array(events.drop { $0["cause"]?["push"] == nil }), from: applied, store)
        }

        mutating func dispatch() async throws {
            let store = await make()
            let actions = LedgerAction.random(10, &random)
            await send(Array(actions.prefix(5)), to: store)
            let recorded = await events(withActions: 5).compactMap { $0["action"] }
            for (number, action) in recorded.enumerated() {
                expectPlayed(await server.push("action \(number)", .action(action)), "action \(number)")
            }
            await send(Array(actions.dropFirst(5)), to: store)
            let events = await events(withActions: 15)
            let causes = events.filter(isAction).map { $0["cause"]?["push"]?.string }
            expect(
                causes,
                Array(repeating: nil, count: 5) + (0..<5).map { "action \($0)" } + Array(repeating: nil, count: 5),
                "the causes")
            try await compare(events, store)
        }

        mutating func launch() async throws {
            let start = Ledger(value: 77, seen: [3])
            server = try TestServer(
                TestServer.Manners(start: Welcome.Start(id: "s", mode: .state, states: ["main": start.json])))
            tape = Self.recorder(server)
            let store = await make()
            expect(await store.ledger(), start, "the state at the launch")
            await send(LedgerAction.random(5, &random), to: store)
            try await compare(await events(withActions: 5), from: start, store)
        }

        /// A launch with a replay, and then a replay in the running app, which puts the state back.
        mutating func replay() async throws {
            let actions = LedgerAction.random(40, &random)
            do {
                let store = await make()
                await send(actions, to: store)
            }
            let recorded = await events(withActions: 40).filter(isAction)
            let start = Welcome.Start(id: "r", mode: .replay, states: ["main": Ledger().json])
            server = try TestServer(TestServer.Manners(start: start))
            tape = Self.recorder(server)
            let store = await make()
            for event in recorded {
                server.send(.replay(Replay(id: "r", of: event.seq, store: "main", action: event["action"])))
            }
            server.send(.replay(Replay(id: "r")))
            await answered("r")
            let replayed = Ledger().reduced(actions)
            expect(server.state.events.compactMap { LedgerAction($0["action"]) }, actions, "the replayed actions")
            expect(await store.ledger(), replayed, "the state after the launch")
            let before = Ledger(value: 9, seen: [])
            server.send(.loop(Loop(id: "l", states: ["main": before.json], keep: false)))
            for event in recorded.prefix(10) {
                server.send(.replay(Replay(id: "l", of: event.seq, store: "main", action: event["action"])))
            }
            server.send(.replay(Replay(id: "l")))
            await answered("l")
            expect(
                server.state.events.compactMap { LedgerAction($0["action"]) }, actions + actions.prefix(10),
                "the actions in the running app")
            // Applied after the end of the lock.
            let after = Ledger(value: 1, seen: [5])
            expect(try server.states().last, replayed.json, "the state that was put back")
            expectPlayed(await server.push("state", .state(after.json)), "the push after it")
            await send(actions, to: store)
            try await compare(
                Array(await events(withActions: 90).drop { $0["cause"]?["push"]?.string != "state" }), from: after,
                store)
        }

        private func answered(_ id: String) async {
            await server.wait { $0.pushed.contains { $0.id == id } }
        }

        mutating func travel() async throws {
            let store = await make()
            let actions = LedgerAction.random(20, &random)
            await send(Array(actions.prefix(10)), to: store)
            _ = await events(withActions: 10)
            let own = await store.ledger()
            await order(Control(locked: true))
            for seq in [8, 3, 0, 5] {
                let state = Ledger().reduced(actions.prefix(seq))
                await look(at: seq, state)
                expect(await store.ledger(), state, "the state after event \(seq)")
            }
            await send(Array(actions.dropFirst(10)), to: store)
            expect(await store.ledger(), Ledger().reduced(actions.prefix(5)), "the state with a queue")
            server.send(.control(Control(locked: false, queue: .replay)))
            let events = await events(withActions: 20)
            expect(try server.states().first { $0 == own.json } != nil, true, "the own state is back")
            expect(events.compactMap { LedgerAction($0["action"]) }, actions, "the tape's actions")
            try await compare(events, store)
        }

        private mutating func look(at seq: Int, _ state: Ledger) async {
            let id = "look \(server.state.pushed.count)"
            server.send(.push(Push(id: id, expires: 60_000, travel: seq, content: .state(state.json))))
            let answer = await server.wait { $0.pushed.contains { $0.id == id } }.pushed.first { $0.id == id }
            expectPlayed(answer?.result, "the look at event \(seq)")
        }

        /// Several threads send actions, while the app is locked and unlocked again and again.
        mutating func lockUnderLoad() async throws {
            let store = await make()
            // On a busy machine, a store's queue may rest for longer than the limit of an app.
            tape.session.map { session in session.queue.sync { session.reduceLimit = .seconds(60) } }
            let (producers, count) = (4, 250)
            let lists = (0..<producers).map { LedgerAction.random(count, producer: $0, &random) }
            let running = Locked(producers)
            let load = Task { [store] in
                await withTaskGroup(of: Void.self) { group in
                    for list in lists {
                        group.addTask {
                            for action in list {
                                await store.send(action)
                                await Task.yield()
                            }
                            running.withLock { $0 -= 1 }
                        }
                    }
                }
            }
            var locks = 0
            repeat {
                await order(Control(locked: true))
                if locks % 3 == 1 { await look(at: 0, Ledger()) }
                server.send(.control(Control(locked: false, queue: .replay)))
                locks += 1
            } while running.withLock { $0 } > 0
            await load.value
            let events = await events(withActions: producers * count)
            let taped = events.compactMap { LedgerAction($0["action"]) }
            expect(taped.count, producers * count, "the number of actions")
            for (producer, list) in lists.enumerated() {
                let ids = { (actions: [LedgerAction]) in actions.compactMap(\.id).filter { $0 / 10_000 == producer } }
                expect(ids(taped), ids(list), "the order of producer \(producer)")
            }
            try await compare(events, store)
        }
    }

    extension LedgerAction {
        fileprivate var id: Int? {
            switch self {
            case .add(let id, _), .times(let id, _): id
            case .tick: nil
            }
        }
    }
#endif
