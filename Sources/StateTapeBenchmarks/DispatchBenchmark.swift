#if Server
    import Foundation
    import StateTape
    import StateTapeStore

    /// What recording adds to one dispatch on the caller's thread, at a steady rate of dispatches.
    struct DispatchBenchmark {
        let quick: Bool
        private var rounds: Int { quick ? 3 : 15 }

        func run() {
            off()
            let (small, large) = (BenchState.ofSize(10_000), BenchState.ofSize(1_000_000))
            // Side by side with what of it is Swift's own.
            measure(small, 10_000, [recording("every/10KB"), keeping("copy-on-write/10KB")])
            measure(large, 200, [recording("every/1MB"), keeping("copy-on-write/1MB")])
            measure(large, 10_000, [recording("every/1MB-untouched")], action: { _ in .count })
            // The few that copy pay for all: the median would leave them out.
            measure(large, 10_000, [recording("latest/1MB", .latest)], typical: \.mean)
        }

        // MARK: What stands in the store's chain

        private struct Part {
            let name: String
            let middleware: Middleware<BenchState, BenchAction>
            /// What is done between two dispatches.
            var pause: () -> Void = {}
        }

        /// A recorder that records, with no server to send to: the dispatching thread can't tell the difference.
        private func recording(_ name: String, _ capture: Capture = .every) -> (BenchState) -> Part {
            return { state in
                let recorder = Recorder(url: "ws://127.0.0.1:9/", allowRelease: true)
                let track = recorder.track(state, BenchAction.self, capture: capture)
                return Part(name: name, middleware: track.middleware)
            }
        }

        /// What Swift itself costs when somebody keeps the previous state: the touched buffer is copied.
        private func keeping(_ name: String) -> (BenchState) -> Part {
            return { _ in
                let keeper = Keeper()
                return Part(
                    name: name,
                    middleware: { next in
                        { action, state in
                            next(action, &state)
                            keeper.keep(state)
                        }
                    }, pause: keeper.letGo)
            }
        }

        // MARK: Measuring

        private func measure(
            _ state: BenchState, _ rate: Double, _ parts: [(BenchState) -> Part],
            action: (Int) -> BenchAction = { .toggle($0) }, typical: ([Double]) -> Double = \.median
        ) {
            var floor: [Double] = []
            var durations: [String: [Double]] = [:]
            for _ in 0..<rounds {
                let plain = Store(initial: state, reducer: BenchState.reduce)
                floor.append(typical(dispatches(plain, rate, action)))
                for part in parts.map({ $0(state) }) {
                    let store = Store(initial: state, reducer: BenchState.reduce, middleware: [part.middleware])
                    durations[part.name, default: []].append(typical(dispatches(store, rate, action, part.pause)))
                }
            }
            for (name, durations) in durations.sorted(by: { $0.key > $1.key }) {
                report(name, durations.median, floor: floor.median)
            }
        }

        /// The times of dispatches in nanoseconds, at so many a second.
        private func dispatches(
            _ store: Store<BenchState, BenchAction>, _ rate: Double, _ action: (Int) -> BenchAction,
            _ pause: () -> Void = {}
        ) -> [Double] {
            let clock = ContinuousClock()
            let start = clock.now
            return (0..<Int(rate * 0.25)).map { index in
                pause()
                // Spinning, not sleeping: a thread that was asleep begins with cold caches.
                while clock.now < start + .seconds(Double(index) / rate) {}
                let action = action(index)
                return clock.measure { store.dispatch(action) }.nanoseconds
            }
        }

        /// One dispatch is shorter than the clock can tell, so a thousand are timed together, as fast as they go.
        private func off() {
            let state = BenchState.ofSize(10_000)
            let track = Recorder(allowRelease: true).track(state, BenchAction.self)
            let store = Store(initial: state, reducer: BenchState.reduce, middleware: [track.middleware])
            let plain = Store(initial: state, reducer: BenchState.reduce)
            var (recorded, reduced) = (state, state)
            var (with, without): ([Double], [Double]) = ([], [])
            var (around, bare): ([Double], [Double]) = ([], [])
            for _ in 0..<rounds * 20 {
                without.append(batch { plain.dispatch(.toggle($0)) })
                with.append(batch { store.dispatch(.toggle($0)) })
                bare.append(batch { BenchState.reduce(&reduced, .toggle($0)) })
                around.append(
                    batch { index in
                        let action = BenchAction.toggle(index)
                        track.record(action, &recorded) { BenchState.reduce(&$0, action) }
                    })
            }
            report("off", with.median, floor: without.median)
            report("off/record", around.median, floor: bare.median)
        }

        private func batch(_ body: (Int) -> Void) -> Double {
            let duration = ContinuousClock().measure {
                for index in 0..<1_000 { body(index) }
            }
            return duration.nanoseconds / 1_000
        }

        private func report(_ name: String, _ value: Double, floor: Double) {
            Measurement(
                bench: "dispatch", name: name, value: value - floor, unit: "ns", better: .lower,
                floor: ("the same dispatch without it", floor)
            ).print()
        }
    }

    extension Duration {
        fileprivate var nanoseconds: Double {
            Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
        }
    }
#endif
