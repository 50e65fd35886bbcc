import DispatchContext
import Foundation
import StateTape
import StateTapeStore

/// Measures the time that recording adds to a dispatch on the caller's thread, at a steady rate.
struct DispatchBenchmark {
    let quick: Bool
    private var rounds: Int { quick ? 3 : 15 }

    func run() {
        off()
        causes()
        callStacks()
        let (small, large) = (BenchState.ofSize(10_000), BenchState.ofSize(1_000_000))
        // Alternates with Swift's own share: retaining the previous state causes a copy of the changed parts.
        measure(small, 10_000, [recording("every/10KB"), keeping("copy-on-write/10KB")])
        let copies = [keeping("copy-on-write/1MB"), keeping("copy-on-write-read/1MB", isReading: true)]
        measure(large, 200, [recording("every/1MB")] + copies)
        measure(large, 10_000, [recording("every/1MB-untouched")], action: { _ in .count })
        paced("10KB", small)
        paced("1MB", large)
        latest(large)
        crashSafe("10KB", small, 10_000)
        crashSafe("1MB", large, 200)
        crashSafe("1MB-untouched", large, 10_000) { _ in .count }
    }

    /// Only a few dispatches copy the state. The median of all dispatches would ignore them, and their mean would
    /// include other load of the machine. So this is the median of the rounds' means.
    private func latest(_ state: BenchState) {
        var (means, floors): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            floors.append(dispatches([Stage(state, nil)], 10_000) { .toggle($0) }[0].mean)
            means.append(dispatches([recording("latest", .latest).stage(state)], 10_000) { .toggle($0) }[0].mean)
        }
        report("latest/1MB", means.median - floors.median, "the same dispatch without it", floors.median)
    }

    /// Measures the time that `crashSafe` adds, which writes the action to disk before the reducer.
    private func crashSafe(
        _ size: String, _ state: BenchState, _ rate: Double, action: (Int) -> BenchAction = { .toggle($0) }
    ) {
        let spool = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: spool) }
        let parts = [recording("with", spool: spool), recording("without")]
        var (with, without): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            let times = dispatches(parts.map { $0.stage(state) }, rate, action)
            with += times[0]
            without += times[1]
        }
        report(
            "crash-safe/\(size)", zip(with, without).map(-).median, "the same dispatch with crashSafe: false",
            without.median)
    }

    /// Measures one action at a time, as a person causes them: the thread slept before each, so its caches are cold.
    private func paced(_ size: String, _ state: BenchState) {
        let spool = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: spool) }
        let stages = [recording("paced", spool: spool).stage(state), Stage(state, nil)]
        var times: [[Double]] = [[], []]
        for index in 0..<(quick ? 100 : 400) {
            for (turn, stage) in stages.enumerated() {
                Thread.sleep(forTimeInterval: 0.015)
                times[turn].append(
                    ContinuousClock().measure { stage.store.dispatch(.toggle(index)) }.nanoseconds)
            }
        }
        report("paced/\(size)", times[0].median - times[1].median, "the same dispatch without it", times[1].median)
    }

    // MARK: Stages of the store's chain

    private struct Part {
        let name: String
        let stage: (BenchState) -> Stage
    }

    private struct Stage {
        let store: Store<BenchState, BenchAction>
        /// Runs between two dispatches.
        var pause: () -> Void = {}

        init(
            _ state: BenchState, _ middleware: Middleware<BenchState, BenchAction>?,
            pause: @escaping () -> Void = {}
        ) {
            store = Store(initial: state, reducer: BenchState.reduce, middleware: middleware.map { [$0] } ?? [])
            self.pause = pause
        }
    }

    /// A recorder without a server, which makes no difference for the dispatching thread.
    private func recording(_ name: String, _ capture: Capture = .every, spool: URL? = nil) -> Part {
        Part(name: name) { state in
            let recorder = Recorder(
                .test(
                    url: "ws://127.0.0.1:9/", allowRelease: true, spool: spool))
            return Stage(state, recorder.track(state, BenchAction.self, capture: capture).middleware)
        }
    }

    /// Swift's own cost of retaining the previous state: a copy of the changed buffer.
    private func keeping(_ name: String, isReading: Bool = false) -> Part {
        Part(name: name) { state in
            let keeper = Keeper(isReading: isReading)
            return Stage(
                state,
                { next in
                    { action, state in
                        next(action, &state)
                        keeper.keep(state)
                    }
                }, pause: keeper.letGo)
        }
    }

    // MARK: Measuring

    /// Also reports how much longer a dispatch of the first part is than the next one of each other part. Noise affects
    /// all of them, so the differences are more exact than the values.
    private func measure(
        _ state: BenchState, _ rate: Double, _ parts: [Part], action: (Int) -> BenchAction = { .toggle($0) }
    ) {
        var floor: [Double] = []
        var durations: [[Double]] = parts.map { _ in [] }
        for _ in 0..<rounds {
            floor += dispatches([Stage(state, nil)], rate, action)[0]
            let times = dispatches(parts.map { $0.stage(state) }, rate, action)
            for (part, times) in times.enumerated() { durations[part] += times }
        }
        for (part, durations) in zip(parts, durations) {
            report(part.name, durations.median - floor.median, "the same dispatch without it", floor.median)
        }
        for (part, copies) in zip(parts, durations).dropFirst() {
            let beyond = zip(durations[0], copies).map(-).median
            report("\(parts[0].name)-beyond-\(part.name)", beyond, part.name, copies.median)
        }
    }

    /// The durations of dispatches in nanoseconds, at a rate per second, into each store in turn.
    private func dispatches(_ stages: [Stage], _ rate: Double, _ action: (Int) -> BenchAction) -> [[Double]] {
        let clock = ContinuousClock()
        let start = clock.now
        var times: [[Double]] = stages.map { _ in [] }
        for index in 0..<Int(rate * 0.25) {
            for (turn, stage) in stages.enumerated() {
                stage.pause()
                let due = (Double(index) + Double(turn) / Double(stages.count)) / rate
                // Busy waiting, because a thread that slept starts with cold caches.
                while clock.now < start + .seconds(due) {}
                let action = action(index)
                times[turn].append(clock.measure { stage.store.dispatch(action) }.nanoseconds)
            }
        }
        return times
    }

    /// A dispatch is shorter than the clock's resolution, so a thousand are measured together.
    private func off() {
        let state = BenchState.ofSize(10_000)
        let track = Recorder(.init(allowRelease: true)).track(state, BenchAction.self)
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
        report("off", with.median - without.median, "the same dispatch without it", without.median)
        report("off/record", around.median - bare.median, "the same reduction without it", bare.median)
    }

    /// Measures what a dispatch pays for its cause and its call site, recorded by nothing else.
    private func causes() {
        let state = BenchState.ofSize(10_000)
        let recorded: Middleware<BenchState, BenchAction> = { next in
            let recording = StoreRecording.begin()
            return { action, state in
                _ = recording?.take()
                next(action, &state)
            }
        }
        let passing: Middleware<BenchState, BenchAction> = { next in { next($0, &$1) } }
        let store = Store(initial: state, reducer: BenchState.reduce, middleware: [recorded])
        let plain = Store(initial: state, reducer: BenchState.reduce, middleware: [passing])
        var (with, without): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds * 20 {
            without.append(batch { plain.dispatch(.toggle($0)) })
            with.append(batch { store.dispatch(.toggle($0)) })
        }
        report("causes", with.median - without.median, "the same dispatch without it", without.median)
    }

    /// Measures what a dispatch pays for its call stack, 24 functions deep and recorded by nothing else.
    private func callStacks() {
        let recorded: Middleware<BenchState, BenchAction> = { next in
            let recording = StoreRecording.begin()
            return { action, state in
                _ = recording?.take()
                next(action, &state)
            }
        }
        let store = Store(initial: BenchState.ofSize(10_000), reducer: BenchState.reduce, middleware: [recorded])
        var (with, without): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds * 20 {
            without.append(deep(24) { batch { store.dispatch(.toggle($0)) } })
            let demand = CallStack.Demand()
            with.append(deep(24) { batch { store.dispatch(.toggle($0)) } })
            withExtendedLifetime(demand) {}
        }
        report("call-stacks", with.median - without.median, "the same dispatch without it", without.median)
    }

    @inline(never) private func deep(_ depth: Int, _ body: () -> Double) -> Double {
        // The addition keeps the function on the stack.
        depth == 0 ? body() : deep(depth - 1, body) + 0
    }

    private func batch(_ body: (Int) -> Void) -> Double {
        let duration = ContinuousClock().measure {
            for index in 0..<1_000 { body(index) }
        }
        return duration.nanoseconds / 1_000
    }

    private func report(_ name: String, _ value: Double, _ floorName: String, _ floor: Double) {
        Measurement(
            bench: "dispatch", name: name, value: value, unit: "ns", better: .lower, floor: (floorName, floor)
        ).print()
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
