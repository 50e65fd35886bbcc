#if Server
    import Foundation
    import StateTape
    import StateTapeStore

    /// What recording adds to one dispatch on the caller's thread, at a steady rate of dispatches.
    struct DispatchBenchmark {
        let quick: Bool

        func run() {
            measure("off", state: BenchState.ofSize(10_000), rate: 10_000, recorder: { Recorder(allowRelease: true) })
            measure("every/10KB", state: BenchState.ofSize(10_000), rate: 10_000)
            measure("every/1MB-untouched", state: BenchState.ofSize(1_000_000), rate: 10_000, action: { _ in .count })
            measure("every/1MB", state: BenchState.ofSize(1_000_000), rate: 200)
            copyOnWrite()
        }

        /// A recorder that records, with no server to send to: the dispatching thread can't tell the difference.
        private static func offline() -> Recorder { Recorder(url: "ws://127.0.0.1:9/", allowRelease: true) }

        private func measure(
            _ name: String, state: BenchState, rate: Double, recorder: () -> Recorder = offline,
            action: @escaping (Int) -> BenchAction = { .toggle($0) }
        ) {
            var with: [Double] = []
            var without: [Double] = []
            for _ in 0..<(quick ? 3 : 7) {
                without.append(dispatches(Store(initial: state, reducer: BenchState.reduce), rate, action))
                let track = recorder().track(state, BenchAction.self)
                let store = Store(initial: state, reducer: BenchState.reduce, middleware: [track.middleware])
                with.append(dispatches(store, rate, action))
            }
            report(name, with.median - without.median, floor: without.median)
        }

        /// What Swift itself costs when somebody keeps the previous state: the touched buffer is copied.
        private func copyOnWrite() {
            let state = BenchState.ofSize(1_000_000)
            var with: [Double] = []
            var without: [Double] = []
            for _ in 0..<(quick ? 3 : 7) {
                without.append(dispatches(Store(initial: state, reducer: BenchState.reduce), 200) { .toggle($0) })
                var kept = state
                let keeping: Middleware<BenchState, BenchAction> = { next in
                    { action, state in
                        kept = state
                        next(action, &state)
                    }
                }
                let store = Store(initial: state, reducer: BenchState.reduce, middleware: [keeping])
                with.append(dispatches(store, 200) { .toggle($0) })
                withExtendedLifetime(kept) {}
            }
            report("copy-on-write/1MB", with.median - without.median, floor: without.median)
        }

        private func report(_ name: String, _ added: Double, floor: Double) {
            Measurement(
                bench: "dispatch", name: name, value: added, unit: "ns", better: .lower,
                floor: ("the same dispatch without the middleware", floor)
            ).print()
        }

        /// The median time of a dispatch in nanoseconds, at so many a second.
        private func dispatches(
            _ store: Store<BenchState, BenchAction>, _ rate: Double, _ action: (Int) -> BenchAction
        ) -> Double {
            let clock = ContinuousClock()
            let start = clock.now
            return (0..<Int(rate * (quick ? 0.2 : 0.5))).map { index in
                // Spinning, not sleeping: a thread that was asleep begins with cold caches.
                while clock.now < start + .seconds(Double(index) / rate) {}
                let action = action(index)
                let duration = clock.measure { store.dispatch(action) }
                return Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
            }.median
        }
    }
#endif
