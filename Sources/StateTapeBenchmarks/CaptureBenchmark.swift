import Foundation
import OrderedCollections
import StateCapture
import StateTape
import TapeFormat

/// Measures the CPU time to encode the event after a change, compared with encoding the whole state.
struct CaptureBenchmark {
    let quick: Bool

    func run() throws {
        for (name, size) in [("10KB", 10_000), ("100KB", 100_000), ("1MB", 1_000_000)] {
            try measure("\(name)/one-element", BenchState.ofSize(size), BenchAction.toggle, BenchState.reduce)
        }
        try measure(
            "1MB/ordered-dictionary", OrderedState.ofSize(1_000_000), BenchAction.toggle, OrderedState.reduce)
        try measure(
            "1MB/observable-state", ObservedState.ofSize(1_000_000), BenchAction.toggle, ObservedState.reduce,
            trusting: [StateIdentity.self])
        try measure("1MB/insert-front", BenchState.ofSize(1_000_000), BenchAction.toggle) { state, action in
            guard case .toggle(let index) = action else { return }
            state.todos.insert(BenchState.Todo(1_000_000 + index), at: 0)
        }
        try measure("1MB/all-changed", BenchState.ofSize(1_000_000), BenchAction.toggle) { state, _ in
            for index in state.todos.indices { state.todos[index].priority += 1 }
        }
        try measure("1MB/all-new", BenchState.ofSize(1_000_000), BenchAction.toggle) { state, _ in
            for index in state.todos.indices {
                state.todos[index] = BenchState.Todo(state.todos[index].id + 1_000_000)
            }
        }
        try measureText()
        try measureTypes()
    }

    /// What a store's first line costs beyond its state: once for each store.
    private func measureTypes() throws {
        let state = BenchState.ofSize(100_000)
        let text = [UInt8](try JSONEncoder().encode(state))
        var (times, bytes): ([Double], Int) = ([], 0)
        for _ in 0..<(quick ? 20 : 100) {
            let began = processorTime()
            let example: (state: Any, json: JSON) = (state, try JSON(parsing: text))
            let table = TypeTable.json(
                state: BenchState.self, action: BenchAction.self, named: nil, example: example)
            times.append(processorTime() - began)
            bytes = table?.bytes.count ?? 0
        }
        Measurement(bench: "capture", name: "100KB/types", value: times.median, unit: "us", better: .lower).print()
        Measurement(bench: "capture", name: "types/bytes", value: Double(bytes), unit: "B", better: .lower).print()
    }

    /// - Parameter floors: The number of measured encodings of the whole state.
    private func measure<State: Codable, Action: Codable>(
        _ name: String, _ initial: State, _ action: (Int) -> Action, _ reduce: (inout State, Action) -> Void,
        trusting trusted: [Any.Type] = []
    ) throws {
        var state = initial
        let writer = EventWriter<State, Action>(trusting: trusted)
        _ = try writer.line(action(0), state)
        let encoder = JSONEncoder()
        var (values, floors): ([Double], [Double]) = ([], [])
        var sink = 0
        for round in 0..<(quick ? 5 : 25) {
            for index in 0..<8 {
                let action = action(37 * (8 * round + index))
                // The writer retains the previous state, so that the reducer copies the changed parts, as in an app.
                reduce(&state, action)
                let began = processorTime()
                sink &+= try writer.line(action, state).count
                values.append(processorTime() - began)
            }
            let began = processorTime()
            sink &+= try encoder.encode(state).count
            floors.append(processorTime() - began)
        }
        precondition(sink > 0)
        Measurement(
            bench: "capture", name: name, value: values.median, unit: "us", better: .lower,
            floor: ("JSONEncoder, whole state", floors.median)
        ).print()
    }

    private func measureText() throws {
        try measure(
            "text/keystroke", TextState(bytes: 18_000), { TextAction.insert(at: 9_000 + $0, text: "e") },
            TextState.reduce)
        var state = TextState(bytes: 18_000)
        let writer = EventWriter<TextState, TextAction>()
        var bytes: [Double] = []
        for index in 0..<1_000 {
            let action = TextAction.insert(at: 9_000 + index, text: "e")
            TextState.reduce(&state, action)
            bytes.append(Double(try writer.line(action, state).count))
        }
        Measurement(
            bench: "capture", name: "text/bytes", value: bytes.median, unit: "B", better: .lower,
            floor: ("the state as JSON", Double(try JSONEncoder().encode(state).count))
        ).print()
    }
}

/// The CPU time of this thread in microseconds.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
