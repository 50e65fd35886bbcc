import Foundation
import StateTape
import StateTapeServer
import StateTapeStore

/// Measures a state of 50 MB: the time from the recorder's start until the server has it, and the size of the events
/// after it.
struct LargeBenchmark {
    let quick: Bool

    func run() throws {
        let state = BenchState.ofSize(50_000_000)
        var (times, floors): ([Double], [Double]) = ([], [])
        var (bytes, small): ([Double], [Double]) = ([], [])
        for _ in 0..<(quick ? 1 : 3) {
            floors.append(try seconds { try written(state) })
            let large = try recorded(state)
            times.append(large.seconds)
            bytes.append(large.bytes)
            small.append(try recorded(.ofSize(10_000)).bytes)
        }
        Measurement(
            bench: "large", name: "50MB/first", value: times.median, unit: "s", better: .lower,
            floor: ("JSONEncoder, and a file on the disk", floors.median)
        ).print()
        Measurement(
            bench: "large", name: "50MB/bytes", value: bytes.median, unit: "B", better: .lower,
            floor: ("an event of the same action at 10 KB", small.median)
        ).print()
    }

    /// Records a state and 200 actions.
    private func recorded(_ state: BenchState) throws -> (seconds: Double, bytes: Double) {
        let run = try LinkRun()
        let spool = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        defer {
            run.stop()
            try? FileManager.default.removeItem(at: spool)
        }
        var store: Store<BenchState, BenchAction>?
        let time = try seconds {
            let recorder = Recorder(
                .test(
                    url: run.server.pageURL.absoluteString, allowRelease: true, spool: spool))
            let track = recorder.track(state, BenchAction.self)
            store = Store(initial: track.start, reducer: BenchState.reduce, middleware: [track.middleware])
            try run.begin()
        }
        _ = try run.rate(200, ahead: 8) { store?.dispatch(.toggle($0)) }
        return (time, try run.bytesPerEvent())
    }

    /// Encodes a state and waits until it is on the disk.
    private func written(_ state: BenchState) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("statetape-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONEncoder().encode(state).write(to: file)
        let handle = try FileHandle(forUpdating: file)
        try handle.synchronize()
        try handle.close()
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
