import Foundation
import StateTapeStore

/// Measures the store alone: its dispatch, its memory and its subscribers.
struct StoreBenchmark {
    let quick: Bool
    private var rounds: Int { quick ? 20 : 200 }

    func run() {
        dispatch()
        history()
        memory()
        for changed in [0, 10, 1_000] {
            subscribers("with-closures", changed) { store in
                (0..<1_000).map { row in store.subscribe({ $0[row] }, { _ in }) }
            }
            subscribers("with-key-paths", changed) { store in
                (0..<1_000).map { row in store.subscribe(\.[row], { _ in }) }
            }
            rows("of-an-array", changed) { store in
                (0..<1_000).map { row in store.subscribe(\.array, at: row) { _ in } }
            }
            rows("of-a-dictionary", changed) { store in
                (0..<1_000).map { row in store.subscribe(\.dictionary, at: row) { _ in } }
            }
            subscribers("in-scopes", changed) { store in
                let table = store.scope(\.groups)
                return (0..<100).flatMap { group in
                    let scope = table.scope { $0[group] }
                    return (0..<10).map { row in scope.subscribe({ $0[row] }, { _ in }) }
                }
            }
        }
        sharing()
        waiting()
        rows("with-one-key-path", 0) { store in
            (0..<1_000).map { _ in store.subscribe(\.array) { _ in } }
        }
    }

    // MARK: One dispatch

    private static var passing: Middleware<Int, Int> { { next in { action, state in next(action, &state) } } }

    private static func store(_ last: [Middleware<Int, Int>] = []) -> Store<Int, Int> {
        Store(initial: 0, reducer: { $0 &+= $1 }, middleware: [passing, passing, passing] + last)
    }

    /// Three middlewares and one subscriber; the floor is the reducer under a lock.
    private func dispatch() {
        let store = Self.store()
        let reducer: Reducer<Int, Int> = { $0 &+= $1 }
        let lock = NSLock()
        var (state, seen) = (0, 0)
        let subscription = store.subscribe { seen &+= $0 }
        report(
            "dispatch", { store.dispatch($0) }, "the reducer under a lock",
            { action in lock.withLock { reducer(&state, action) } })
        withExtendedLifetime((subscription, seen)) {}
    }

    /// A history that is full; the floor is the same dispatch without it.
    private func history() {
        let history = History<Int, Int>(initial: 0, reducer: { $0 &+= $1 })
        let (with, without) = (Self.store([history.middleware]), Self.store())
        history.connect(with)
        for action in 0..<1_001 { with.dispatch(action) }
        report("history", { with.dispatch($0) }, "the same dispatch without it", { without.dispatch($0) })
    }

    /// The memory that a million dispatches add.
    private func memory() {
        let history = History<Int, Int>(initial: 0, reducer: { $0 &+= $1 })
        let store = Self.store([history.middleware])
        history.connect(store)
        var seen = 0
        let subscription = store.subscribe { seen &+= $0 }
        for action in 0..<10_000 { store.dispatch(action) }
        let before = MemoryBenchmark.resident
        for action in 0..<1_000_000 { store.dispatch(action) }
        Measurement(
            bench: "store", name: "memory/1M", value: Double(MemoryBenchmark.resident - before) / 1_024,
            unit: "KiB",
            better: .lower
        ).print()
        withExtendedLifetime((subscription, seen)) {}
    }

    // MARK: A thousand subscribers

    /// A thousand rows in groups of ten.
    private struct Table: Equatable {
        var groups = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 100)
        var other = 0

        subscript(row: Int) -> Int { groups[row / 10][row % 10] }

        /// Changes the first rows.
        static func reduce(_ table: inout Table, _ changed: Int) {
            for row in 0..<changed { table.groups[row / 10][row % 10] &+= 1 }
            table.other &+= 1
        }
    }

    private func subscribers(_ name: String, _ changed: Int, _ subscribe: (Store<Table, Int>) -> [Subscription]) {
        let (with, without) = (
            Store(initial: Table(), reducer: Table.reduce), Store(initial: Table(), reducer: Table.reduce)
        )
        let subscriptions = subscribe(with)
        report(
            "subscribers/\(name)/\(changed)-of-1000", { _ in with.dispatch(changed) },
            "the same dispatch without them", { _ in without.dispatch(changed) }, count: 50)
        withExtendedLifetime(subscriptions) {}
    }

    /// A thousand rows in one collection.
    private struct Rows: Equatable {
        struct Row: Equatable {
            var title = "A title that is too long for inline storage"
            var count = 0
        }

        var array = [Row](repeating: Row(), count: 1_000)
        var dictionary = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, Row()) })
        var other = 0

        static func reduce(_ rows: inout Rows, _ changed: Int) {
            for row in 0..<changed {
                rows.array[row].count &+= 1
                rows.dictionary[row]?.count &+= 1
            }
            rows.other &+= 1
        }
    }

    private func rows(_ name: String, _ changed: Int, _ subscribe: (Store<Rows, Int>) -> [Subscription]) {
        let (with, without) = (
            Store(initial: Rows(), reducer: Rows.reduce), Store(initial: Rows(), reducer: Rows.reduce)
        )
        let subscriptions = subscribe(with)
        report(
            "subscribers/\(name)/\(changed)-of-1000", { _ in with.dispatch(changed) },
            "the same dispatch without them", { _ in without.dispatch(changed) }, count: 50)
        withExtendedLifetime(subscriptions) {}
    }

    /// A thousand subscribers of one part, which doesn't change.
    private func sharing() {
        let (with, without) = (
            Store(initial: Table(), reducer: Table.reduce), Store(initial: Table(), reducer: Table.reduce)
        )
        let scope = with.scope(\.groups)
        let subscriptions = (0..<1_000).map { row in scope.subscribe({ $0[row / 10][row % 10] }, { _ in }) }
        report(
            "subscribers/in-one-scope/0-of-1000", { _ in with.dispatch(0) },
            "the same dispatch without them", { _ in without.dispatch(0) }, count: 50)
        withExtendedLifetime(subscriptions) {}
    }

    // MARK: Rules

    /// An action whose work ends with its store.
    private struct Work: SelfExecuting {
        func reduce(_ state: inout Int) { state &+= 1 }
        func execute() async throws { try await Task.sleep(for: .seconds(86_400)) }
        func reduce(_ state: inout Int, _ output: Void) {}
    }

    /// A dispatch while thousands of actions wait for each other.
    private func waiting() {
        let with = ActionStore(initial: 0, rules: [SequenceRule(Work.self, Work.self)])
        let without = ActionStore(initial: 0)
        for _ in 0..<4_000 { for store in [with, without] { Work().dispatch(to: store) } }
        report(
            "sequence-rule/4000-waiting", { _ in Work().dispatch(to: with) },
            "the same dispatch without the rule", { _ in Work().dispatch(to: without) }, count: 10)
    }

    // MARK: Measuring

    /// The medians of alternating batches, because a dispatch is shorter than the clock's resolution.
    private func report(
        _ name: String, _ body: (Int) -> Void, _ floorName: String, _ floor: (Int) -> Void, count: Int = 1_000
    ) {
        var (values, floors): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            floors.append(batch(count, floor))
            values.append(batch(count, body))
        }
        Measurement(
            bench: "store", name: name, value: values.median, unit: "ns", better: .lower,
            floor: (floorName, floors.median)
        ).print()
    }

    private func batch(_ count: Int, _ body: (Int) -> Void) -> Double {
        let duration = ContinuousClock().measure {
            for index in 0..<count { body(index) }
        }
        return Double(duration.components.attoseconds) / 1e9 / Double(count)
    }
}
