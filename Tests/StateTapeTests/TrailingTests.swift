#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    /// A store that many threads dispatch to, with its own lock.
    private final class SharedStore: Sendable {
        let state = Locked(TestState())
        let track: Track<TestState, TestAction>

        init(_ tape: Recorder) {
            track = tape.track(TestState(), TestAction.self, capture: .sampled(every: .zero))
        }

        func increment() {
            state.withLock { state in track.record(.increment, &state) { $0.count += 1 } }
        }
    }

    @Suite("A trailing snapshot", .timeLimit(.minutes(1)))
    struct TrailingTests {
        private func recorder(_ server: TestServer) -> Recorder {
            Recorder(
                .test(
                    url: server.url, launch: Launch(environment: [:], arguments: ["/bin/test-app"]),
                    log: { _ in }))
        }

        /// Each state on the tape counts the increments before it.
        private func isInOrder(_ state: TestServer.State) throws -> Bool {
            var actions = 0
            var expected: [Int] = []
            for event in state.events where event.store == "main" {
                if event.kind == .action { actions += 1 }
                if event.raw("state") ?? event.raw("patch") != nil { expected.append(actions) }
            }
            return try state.states().map { $0["count"]?.int } == expected
        }

        @Test("With many threads, a state comes after all actions that led to it and before all others")
        func threads() async throws {
            let server = try TestServer()
            let store = SharedStore(recorder(server))
            store.track.connect(state: { store.state.withLock { $0 } })
            let (threads, each, rounds) = (4, 25, 20)
            for round in 1...rounds {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<threads {
                        group.addTask { for _ in 0..<each { store.increment() } }
                    }
                }
                // The actions, not the trailing state: the next round begins about when it is taken.
                await server.wait { state in
                    state.events.filter { $0.kind == .action }.count == round * threads * each
                }
            }
            let end = await server.wait { $0.have > 2_000 && (try? $0.states().last?["count"]) == 2_000 }
            #expect(try isInOrder(end))
        }

        @Test("A state that was read before an action is not written after it")
        func overtaken() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let store = SharedStore(tape)
            let reads = Locked(0)
            let (isRead, isOvertaken) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            store.track.connect(state: {
                let state = store.state.withLock { $0 }
                let read = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                // The first call is by `connect` itself.
                if read == 2 {
                    isRead.signal()
                    isOvertaken.wait()
                }
                return state
            })
            tape.settle()
            tape.whileBusy {
                store.increment()
                store.increment()
            }
            await Self.wait(for: isRead)
            tape.settle()
            tape.whileBusy {
                store.increment()
                store.increment()
                isOvertaken.signal()
            }
            let end = await server.wait { (try? $0.states().last?["count"]) == 4 }
            #expect(try isInOrder(end))
            #expect(end.events.last { $0.store == "main" }?["cause"] == ["capture": "trailing"])
        }

        @Test("A state that is read while an action is being reduced is not written")
        func reducing() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            let track = tape.track(TestState(), TestAction.self, capture: .sampled(every: .zero))
            let seen = Locked(TestState())
            let isRead = DispatchSemaphore(value: 0)
            track.connect(state: {
                defer { isRead.signal() }
                return seen.withLock { $0 }
            })
            isRead.wait()
            tape.settle()
            var state = TestState()
            func increment(_ body: () -> Void = {}) {
                track.record(.increment, &state) { state in
                    state.count += 1
                    seen.withLock { $0 = state }
                    body()
                }
            }
            tape.whileBusy {
                increment()
                increment()
            }
            // The trailing state of the second action is read while the third is being reduced.
            increment { isRead.wait() }
            increment()
            let end = await server.wait { (try? $0.states().last?["count"]) == 4 }
            #expect(try isInOrder(end))
        }

        @Test("A store that is gone writes no state after its end")
        func detached() async throws {
            let server = try TestServer()
            let tape = recorder(server)
            var store: SharedStore? = SharedStore(tape)
            let isAsked = DispatchSemaphore(value: 0)
            let isGone = DispatchSemaphore(value: 0)
            let isFirst = Locked(true)
            store?.track.connect(state: { [weak store] in
                let state = store?.state.withLock { $0 }
                let isConnecting = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if !isConnecting {
                    isAsked.signal()
                    isGone.wait()
                }
                return state
            })
            tape.settle()
            tape.whileBusy {
                store?.increment()
                store?.increment()
            }
            await Self.wait(for: isAsked)
            store = nil
            isGone.signal()
            let next = SharedStore(tape)
            next.track.connect()
            await server.wait { $0.events.contains { $0.kind == .detach && $0.store == "main" } }
            #expect(tape.finish(timeout: .seconds(20)))
            let kinds = server.state.events.filter { $0.store == "main" }.map(\.kind)
            #expect(kinds.prefix(4) == [.`init`, .action, .action, .detach])
            #expect(!kinds.contains(.replace))
            withExtendedLifetime(next) {}
        }

        /// Waits without blocking a thread of other tests.
        private static func wait(for semaphore: DispatchSemaphore) async {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "wait").async {
                    semaphore.wait()
                    continuation.resume()
                }
            }
        }
    }
#endif
