#if os(Linux)
    import DispatchContext
    import Foundation
    import StateTapeStore
    import TapeFormat
    import Testing

    @testable import StateTape

    // Causes at the edges: pushes, locks, pauses, and what is released.
    extension CauseTests {
        @Test("A pushed action keeps its push as the cause, and starts others that name it")
        func pushed() async throws {
            let store = store { step, _ in
                step.rest > 0 ? Effect { dispatch in await dispatch(Step(id: step.id + 1, parent: step.id)) } : nil
            }
            store.dispatch(Step(id: 1))
            _ = await actions(1)
            let type = try #require(server.state.events.last?["action"]?["type"])
            _ = await server.push("p", .action(["type": type, "payload": ["id": 5, "rest": 1]]))
            let events = await actions(3)
            #expect(events[1]["cause"] == ["push": "p"])
            #expect(events[1].raw("caller") == nil)
            #expect(events[2]["cause"]?["seq"]?.int == events[1].seq)
            withExtendedLifetime(store) {}
        }

        @Test("An action that was queued while the app was locked has the cause and the line of its caller")
        func held() async throws {
            let store = store { step, _ in
                guard step.id == 1 else { return nil }
                return Effect { [server] dispatch in
                    server.send(.control(Control(locked: true)))
                    _ = await server.push("locked", store: "none", .state(1))
                    await dispatch(Step(id: 2, parent: 1))
                    server.send(.control(Control(locked: false, queue: .replay)))
                }
            }
            store.dispatch(Step(id: 1))
            let events = await actions(2)
            #expect(verdict(events) == (2, 0, 0))
            #expect(events[1]["caller"]?.string == "\(#fileID):\(#line - 7)")
            withExtendedLifetime(store) {}
        }

        @Test("An event that is not on the tape is no cause")
        func paused() async throws {
            let store = store { step, _ in
                guard step.id == 1 else { return nil }
                return Effect { [server] dispatch in
                    server.send(.control(Control(recording: true)))
                    _ = await server.push("resumed", store: "none", .state(1))
                    await dispatch(Step(id: 2))
                }
            }
            store.dispatch(Step(id: 0))
            server.send(.control(Control(recording: false)))
            _ = await server.push("paused", store: "none", .state(1))
            store.dispatch(Step(id: 1))
            #expect(await actions(2).allSatisfy { $0["cause"] == nil })
            withExtendedLifetime(store) {}
        }

        @Test("An action in a task group has a cause, and so has what it starts")
        func group() async throws {
            let store = store { step, _ in
                guard step.id == 1 else { return nil }
                return Effect { dispatch in
                    await withTaskGroup(of: Void.self) { group in
                        await dispatch(Step(id: 2, parent: 1))
                        for id in 3..<6 { group.addTask { await dispatch(Step(id: id, parent: 1)) } }
                    }
                }
            }
            store.dispatch(Step(id: 1))
            #expect(verdict(await actions(5)) == (5, 0, 0))
            withExtendedLifetime(store) {}
        }

        @Test("A task that outlives its recorder dispatches as before")
        func outlived() async throws {
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Int.self)
            let store = store { step, _ in
                guard step.id == 1 else { return nil }
                return Effect { dispatch in
                    _ = await gate.first { true }
                    await dispatch(Step(id: 2))
                }
            }
            let subscription = store.subscribe { if let id = $0.first { end.yield(id) } }
            store.dispatch(Step(id: 1))
            tape.finish(timeout: .seconds(20))
            open.yield()
            let last = await ends.first { $0 == 2 }
            #expect(last == 2)
            withExtendedLifetime((store, subscription)) {}
        }

        @Test("An action that a deinit dispatches has the cause of what released the object")
        func released() async throws {
            final class Farewell: Sendable {
                let store: StepStore
                init(_ store: StepStore) { self.store = store }
                deinit { store.dispatch(Step(id: 2, parent: 1)) }
            }
            let store = store()
            let object = Locked<Farewell?>(Farewell(store))
            let subscription = store.subscribe { state in
                guard state == [1] else { return }
                let last = object.withLock { object in
                    defer { object = nil }
                    return object
                }
                withExtendedLifetime(last) {}
            }
            store.dispatch(Step(id: 1))
            #expect(verdict(await actions(2)) == (2, 0, 0))
            withExtendedLifetime(subscription) {}
        }
    }
#endif
