#if os(Linux)
    import DispatchContext
    import Foundation
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    @Suite("Causes", .timeLimit(.minutes(2)))
    struct CauseTests {
        /// An action that says which action started it.
        struct Step: Codable, Sendable {
            var id: Int
            var parent: Int?
            /// How many more actions follow from it.
            var rest = 0
        }

        typealias StepStore = Store<[Int], Step>

        let server: TestServer
        let tape: Recorder

        init() throws {
            server = try TestServer()
            tape = Recorder(
                .test(
                    url: server.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: { _ in }))
        }

        func store(
            _ name: String = "main", before: [Middleware<[Int], Step>] = [], after: [Middleware<[Int], Step>] = [],
            effects: ((Step, [Int]) -> Effect<Step>?)? = nil
        ) -> StepStore {
            let track = tape.track([Int](), Step.self, name: name, capture: .actionsOnly)
            let store = StepStore(
                initial: track.start, reducer: { $0 = [$1.id] }, middleware: before + [track.middleware] + after,
                effects: effects)
            track.connect(
                state: { [weak store] in store?.state }, dispatch: { [weak store] in store?.dispatch($0) },
                play: { [weak store] in store?.replace($0) })
            return store
        }

        /// The actions on the tape once there are this many.
        func actions(_ count: Int) async -> [EventLine] {
            await server.wait { $0.events.filter { $0.kind == .action }.count >= count }.events
                .filter { $0.kind == .action }
        }

        /// How many events name the right cause, a wrong one, and none although they have one.
        func verdict(_ events: [EventLine]) -> (right: Int, wrong: Int, missing: Int) {
            func payload(_ event: EventLine, _ name: String) -> Int? { event["action"]?["payload"]?[name]?.int }
            let seqs = Dictionary(
                uniqueKeysWithValues: events.compactMap { event in
                    payload(event, "id").map { ($0, event.seq) }
                })
            var verdict = (right: 0, wrong: 0, missing: 0)
            for event in events {
                let (cause, due) = (event["cause"]?["seq"]?.int, payload(event, "parent").flatMap { seqs[$0] })
                if cause == due {
                    verdict.right += 1
                } else if cause == nil {
                    verdict.missing += 1
                } else {
                    verdict.wrong += 1
                }
            }
            return verdict
        }

        @Test("Actions born in effects, thunks, drivers, reducers, subscribers and tasks have the right cause")
        func styles() async throws {
            let ids = Locked(0)
            let stores = Locked<[StepStore]>([])
            @Sendable func next(of step: Step) -> Step? {
                guard step.rest > 0 else { return nil }
                let id = ids.withLock { ids in
                    ids += 1
                    return ids
                }
                return Step(id: id, parent: step.id, rest: step.rest - 1)
            }
            @Sendable func dispatch(_ step: Step) {
                stores.withLock { $0[step.id % $0.count] }.dispatch(step)
            }
            var subscriptions: [Subscription] = []
            // An effect.
            let effect = store("effect") { step, _ in
                Effect { _ in if let next = next(of: step) { dispatch(next) } }
            }
            // A middleware that starts a task, and one that dispatches.
            let task = store(
                "task",
                after: [
                    { chain in
                        { step, state in
                            if let next = next(of: step) { Task { dispatch(next) } }
                            chain(step, &state)
                        }
                    }
                ])
            let nested = store(
                "nested",
                after: [
                    { chain in
                        { step, state in
                            chain(step, &state)
                            // Into the same store, which queues it.
                            if let next = next(of: step) { stores.withLock { $0[2] }.dispatch(next) }
                        }
                    }
                ])
            // A driver: the state says what runs.
            let known = Locked<[Int: Step]>([:])
            let driver = store(
                "driver",
                after: [
                    { chain in
                        { step, state in
                            known.withLock { $0[step.id] = step }
                            chain(step, &state)
                        }
                    }
                ])
            subscriptions.append(
                driver.subscribe { state in
                    guard let step = state.first.flatMap({ id in known.withLock { $0[id] } }), let next = next(of: step)
                    else { return }
                    Task {
                        await Task.yield()
                        async let one: Void = dispatch(next)
                        await one
                    }
                })
            // A subscriber that dispatches at once.
            let subscriber = store(
                "subscriber",
                after: [
                    { chain in
                        { step, state in
                            known.withLock { $0[step.id] = step }
                            chain(step, &state)
                        }
                    }
                ])
            subscriptions.append(
                subscriber.subscribe { state in
                    guard let step = state.first.flatMap({ id in known.withLock { $0[id] } }), let next = next(of: step)
                    else { return }
                    dispatch(next)
                })
            stores.withLock { $0 = [effect, task, nested, driver, subscriber] }
            // Several at once, from threads and tasks.
            let roots = (0..<20).map { Step(id: 100_000 + $0, rest: 49) }
            for root in roots {
                if root.id % 2 == 0 { Thread.detachNewThread { dispatch(root) } } else { Task { dispatch(root) } }
            }
            let events = await actions(1_000)
            let verdict = verdict(events)
            #expect(verdict.wrong == 0)
            // A reducer's own dispatches are written before it, and then have no cause.
            #expect(verdict.right >= 990, "\(verdict)")
            #expect(events.allSatisfy { ($0["cause"]?["seq"]?.int ?? -1) < $0.seq })
            stores.withLock { $0 = [] }
            withExtendedLifetime(subscriptions) {}
        }

        @Test("An action that is queued behind another one keeps the cause and the line of its caller")
        func queued() async throws {
            let (first, second) = (store("first"), store("second"))
            let line = Locked<UInt>(0)
            let subscriptions = [
                second.subscribe {
                    if $0 == [2] {
                        // The first store is busy with 1.
                        first.dispatch(Step(id: 3, parent: 2)); line.withLock { $0 = #line }
                    }
                },
                first.subscribe {
                    if $0 == [1] {
                        second.dispatch(Step(id: 2, parent: 1))
                        onThread { first.dispatch(Step(id: 4)) }
                    }
                },
            ]
            first.dispatch(Step(id: 1))
            let events = await actions(4)
            #expect(verdict(events) == (4, 0, 0))
            let third = events.first { $0["action"]?["payload"]?["id"] == 3 }
            #expect(third?["caller"]?.string == "\(#fileID):\(line.withLock { $0 })")
            withExtendedLifetime(subscriptions) {}
        }

        @Test("A subscription that is queued behind an action keeps the cause of its caller")
        func subscribed() async throws {
            let (first, second, third) = (store("first"), store("second"), store("third"))
            let late = Locked<[Subscription]>([])
            let subscriptions = [
                first.subscribe { if $0 == [1] { second.dispatch(Step(id: 2, parent: 1)) } },
                second.subscribe { state in
                    guard state == [2] else { return }
                    // The first store is busy with 1, and calls this subscriber later.
                    let made = first.subscribe { if $0 == [1] { third.dispatch(Step(id: 3, parent: 2)) } }
                    late.withLock { $0.append(made) }
                },
            ]
            first.dispatch(Step(id: 1))
            #expect(verdict(await actions(3)) == (3, 0, 0))
            withExtendedLifetime(subscriptions) {}
        }

        @Test("A detached task and a thread have no cause")
        func detached() async throws {
            let store = store()
            let subscription = store.subscribe { state in
                guard state == [1] else { return }
                Task.detached { store.dispatch(Step(id: 2)) }
                Thread.detachNewThread { store.dispatch(Step(id: 3)) }
                DispatchQueue.global().async { store.dispatch(Step(id: 4)) }
            }
            store.dispatch(Step(id: 1))
            #expect(await actions(4).allSatisfy { $0["cause"] == nil })
            withExtendedLifetime(subscription) {}
        }

        @Test("What a middleware in front of the track starts has the cause of its action")
        func front() async throws {
            let held = Locked<StepStore?>(nil)
            let store = store(before: [
                { next in
                    { step, state in
                        // A thunk: it goes no further itself.
                        guard step.id == 2 else { return next(step, &state) }
                        Task { held.withLock { $0 }?.dispatch(Step(id: 3, parent: 1)) }
                    }
                }
            ]) { step, _ in
                step.id == 1 ? Effect { dispatch in await dispatch(Step(id: 2)) } : nil
            }
            held.withLock { $0 = store }
            let subscription = store.subscribe { if $0 == [3] { store.dispatch(Step(id: 4, parent: 3)) } }
            store.dispatch(Step(id: 1))
            #expect(verdict(await actions(3)) == (3, 0, 0))
            held.withLock { $0 = nil }
            withExtendedLifetime(subscription) {}
        }

        @Test("Each dispatch is taken by its own track, and once")
        func taken() async throws {
            let other = tape.track([Int](), Step.self, name: "other", capture: .actionsOnly)
            let plain = tape.track([Int](), Step.self, name: "plain", capture: .actionsOnly)
            @Sendable func record(_ id: Int, parent: Int? = nil, _ track: Track<[Int], Step>) {
                var state: [Int] = []
                track.record(Step(id: id, parent: parent), &state) { $0 = [id] }
            }
            // In front of the store's own track.
            let store = store(before: [
                { next in
                    { step, state in
                        record(2, other)
                        next(step, &state)
                    }
                }
            ])
            store.dispatch(Step(id: 1))
            let line = #line - 1
            plain.dispatch {
                record(3, other)
                record(4, plain)
                record(5, parent: 4, plain)
            }
            let events = await actions(5)
            let callers = Dictionary(
                uniqueKeysWithValues: events.map { ($0["action"]?["payload"]?["id"]?.int, $0["caller"]?.string) })
            #expect(callers == [1: "\(#fileID):\(line)", 2: nil, 3: nil, 4: "\(#fileID):\(line + 2)", 5: nil])
            #expect(verdict(events) == (5, 0, 0))
        }

        @Test("An action that is queued takes its dispatch with it")
        func queuedTwice() async throws {
            let track = tape.track([Int](), Step.self, capture: .actionsOnly)
            @Sendable func record(_ step: Step) {
                var state: [Int] = []
                track.record(step, &state) { $0 = [step.id] }
            }
            track.connect(dispatch: { step in track.dispatch { record(step) } })
            await server.wait(forEvents: 1)
            server.send(.control(Control(locked: true)))
            _ = await server.push("locked", store: "none", .state(1))
            track.dispatch {
                record(Step(id: 1))
                record(Step(id: 2))
            }
            let line = #line - 4
            server.send(.control(Control(locked: false, queue: .replay)))
            #expect(await actions(2).map { $0["caller"]?.string } == ["\(#fileID):\(line)", nil])
        }

        @Test("A store without a track between two recorded ones passes the cause on")
        func between() async throws {
            let recorded = store()
            let plain = StepStore(initial: [], reducer: { $0 = [$1.id] })
            let subscriptions = [
                recorded.subscribe { if $0 == [1] { plain.dispatch(Step(id: 2)) } },
                plain.subscribe { if $0 == [2] { Task { recorded.dispatch(Step(id: 3, parent: 1)) } } },
            ]
            recorded.dispatch(Step(id: 1))
            #expect(verdict(await actions(2)) == (2, 0, 0))
            withExtendedLifetime(subscriptions) {}
        }

        @Test("A dispatcher's stores have the same call site and cause, not each other")
        func dispatcher() async throws {
            let dispatcher = Dispatcher<Step>(middleware: [{ [tape] next in { step in tape.dispatch { next(step) } } }])
            let stores = [store("first"), store("second")]
            let registrations = stores.map { dispatcher.register($0) }
            let subscription = stores[0].subscribe { if $0 == [1] { dispatcher.dispatch(Step(id: 2, parent: 1)) } }
            dispatcher.dispatch(Step(id: 1)); let line = #line
            let events = await actions(4)
            #expect(events.prefix(2).map { $0["caller"]?.string } == ["\(#fileID):\(line)", "\(#fileID):\(line)"])
            #expect(events.map { $0["cause"]?["seq"]?.int } == [nil, nil, events[0].seq, events[0].seq])
            withExtendedLifetime((registrations, subscription)) {}
        }

        @Test("Two recorders never mix their events")
        func recorders() async throws {
            let otherServer = try TestServer()
            let other = Recorder(
                .test(
                    url: otherServer.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]), log: { _ in })
            )
            let mine = store()
            let track = other.track([Int](), Step.self)
            let theirs = StepStore(initial: [], reducer: { $0 = [$1.id] }, middleware: [track.middleware])
            theirs.dispatch(Step(id: 0))
            let subscriptions = [
                mine.subscribe { if $0 == [1] { theirs.dispatch(Step(id: 2)) } },
                theirs.subscribe { if $0 == [2] { mine.dispatch(Step(id: 3)) } },
            ]
            mine.dispatch(Step(id: 1))
            #expect(await actions(2).allSatisfy { $0["cause"] == nil })
            let events = await otherServer.wait { $0.events.filter { $0.kind == .action }.count == 2 }.events
            #expect(events.allSatisfy { $0["cause"] == nil })
            withExtendedLifetime(subscriptions) {}
        }
    }

    /// Runs the body on another thread, and waits for it.
    private func onThread(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        done.wait()
    }
#endif
