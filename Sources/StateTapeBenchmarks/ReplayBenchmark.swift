import Foundation
import StateTape
import StateTapeTesting
import TapeEngine
import TapeFormat

/// Measures the replay of a tape with all states checked, and what recording a test costs.
struct ReplayBenchmark {
    let quick: Bool

    func run() throws {
        try checked()
        taped()
    }

    /// The floor reads the tape, decodes its first state and its actions, and runs the reducer.
    private func checked() throws {
        let count = quick ? 1_000 : 10_000
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        record(count, to: file)
        let clock = ContinuousClock()
        var times: [Double] = []
        var floors: [Double] = []
        for _ in 0..<(quick ? 3 : 9) {
            let time = clock.measure {
                Replay(file.path).verify(BenchState.self, BenchAction.self) { BenchState.reduce(&$0, $1) }
            }
            let floor = try clock.measure { try reduce(file) }
            times.append(Double(count) / (time / .seconds(1)))
            floors.append(Double(count) / (floor / .seconds(1)))
        }
        Measurement(
            bench: "replay", name: "checked", value: times.median, unit: "actions/s", better: .higher,
            floor: ("decode and reduce, without the check", floors.median)
        ).print()
    }

    private func record(_ count: Int, to file: URL) {
        let tape = Recorder(.init(file: file.path, allowRelease: true))
        let track = tape.track(BenchState.ofSize(10_000), BenchAction.self)
        var state = track.start
        for index in 0..<count {
            let action = BenchAction.toggle(index &* 7)
            track.record(action, &state) { BenchState.reduce(&$0, action) }
            // The recorder is to write every state.
            if index % 1_000 == 0 { tape.settle() }
        }
        tape.finish(timeout: .seconds(60))
    }

    private func reduce(_ file: URL) throws {
        let tape = try OpenedTape(FileHandle(forReadingFrom: file), sessionID: { _ in "" })
        let codec = ReplayCodec<BenchState, BenchAction>()
        var state: BenchState?
        try tape.each(in: tape.seqs) { line in
            if state == nil, let json = line["state"] {
                state = try codec.state(json, initial: nil).value
            } else if line.kind == .action, let json = line["action"], let action = try codec.action(json)?.value {
                state.map { before in
                    var after = before
                    state = nil
                    BenchState.reduce(&after, action)
                    state = after
                }
            }
            return true
        }
    }

    /// A test with ten actions, taped and not taped.
    private func taped() {
        let clock = ContinuousClock()
        var times: [Double] = []
        var floors: [Double] = []
        func test(_ recorder: Recorder) {
            let track = recorder.track(BenchState(todos: 20), BenchAction.self)
            var state = track.start
            for index in 0..<10 {
                track.record(.toggle(index), &state) { BenchState.reduce(&$0, .toggle(index)) }
            }
        }
        for _ in 0..<(quick ? 50 : 500) {
            floors.append(clock.measure { test(Tape.current) } / .milliseconds(1))
            times.append(
                clock.measure { _ = TestTape.record(test: "test", suite: "Suite") { test(Tape.current) } }
                    / .milliseconds(1))
        }
        Measurement(
            bench: "replay", name: "taped", value: times.median - floors.median, unit: "ms", better: .lower,
            floor: ("the same test without a tape", floors.median)
        ).print()
    }
}
