#if canImport(Observation)
    import Observation
    import StateTapeStore
    import Testing

    @MainActor @Suite("Observed parts", .timeLimit(.minutes(1)))
    struct ObservedTests {
        private let store = Store(initial: Counter(), reducer: count)

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        @Test("A change on the main actor is observed, and visible when the dispatch returns")
        func change() {
            let (whole, name) = (store.observed(), store.observed(\.name))
            let changes = Seen<String>()
            withObservationTracking {
                _ = whole.value
            } onChange: {
                changes("whole")
            }
            withObservationTracking {
                _ = name.value
            } onChange: {
                changes("name")
            }
            store.dispatch(.add(1))
            #expect(changes.values == ["whole"])
            #expect(whole.value.count == 1)
            store.dispatch(.rename("a"))
            #expect(changes.values == ["whole", "name"])
            #expect(name.value == "a")
        }

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        @Test("Another thread's change arrives on the main actor, and none after a newer one")
        func threads() async {
            let count = store.observed(\.count)
            let order = Seen<Int>()
            let (values, note) = AsyncStream.makeStream(of: Int.self)
            track(count) {
                order($0)
                note.yield($0)
            }
            let store = store
            async let others: Void = Task.detached { for _ in 0..<1_000 { store.dispatch(.add(1)) } }.value
            for _ in 0..<1_000 { store.dispatch(.add(1)) }
            await others
            for await value in values where value == 2_000 { break }
            #expect(count.value == 2_000)
            #expect(order.values == order.values.sorted())
        }

        /// Calls the closure now, and soon after each change.
        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        private func track(_ observed: Observed<Int>, _ receive: @escaping @Sendable (Int) -> Void) {
            withObservationTracking {
                receive(observed.value)
            } onChange: {
                Task { @MainActor in track(observed, receive) }
            }
        }

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        @Test("A released one ends its subscription, and doesn't retain the store")
        func release() {
            let asked = Seen<Int>()
            var store: Store<Counter, CounterAction>? = Store(initial: Counter(), reducer: StateTapeStoreTests.count)
            weak let gone = store
            var observed = store?.observed { state in
                asked(state.count)
                return state.count
            }
            store?.dispatch(.add(1))
            let before = asked.values.count
            #expect(observed?.value == 1)
            observed = nil
            store?.dispatch(.add(1))
            #expect(asked.values.count == before)
            let kept = store?.observed(\.count)
            store = nil
            #expect(gone == nil)
            #expect(kept?.value == 2)
        }
    }
#endif
