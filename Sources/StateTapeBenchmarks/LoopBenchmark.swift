import Foundation
import StateTape
import StateTapeServer
import StateTapeStore
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures a replay in the running app, with all states compared. The floor: the app dispatches the same actions, until
/// the server has committed them.
struct LoopBenchmark {
    let quick: Bool
    private let count = 1_000

    func run() throws {
        var times: [Double] = []
        var floors: [Double] = []
        for _ in 0..<(quick ? 1 : 5) {
            let run = try LinkRun()
            defer { run.stop() }
            let recorder = Recorder(.init(url: run.server.pageURL.absoluteString, allowRelease: true, crashSafe: false))
            let track = recorder.track(BenchState.ofSize(10_000), BenchAction.self)
            let store = Store(initial: track.start, reducer: BenchState.reduce, middleware: [track.middleware])
            track.connect(state: { store.state }, dispatch: { store.dispatch($0) }, play: { store.replace($0) })
            try run.watch()
            // The viewer sees events that are committed.
            floors.append(1_000 * Double(count) / (try run.rate(count, ahead: 64) { store.dispatch(.toggle($0)) }))
            let clock = ContinuousClock()
            times.append(try clock.measure { try loop(run) } / .milliseconds(1))
        }
        Measurement(
            bench: "reload", name: "loop/10KB", value: times.median, unit: "ms", better: .lower,
            floor: ("the same actions dispatched by the app", floors.median)
        ).print()
    }

    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Replays all actions, and returns once they are compared and the app has its state back.
    private func loop(_ run: LinkRun) throws {
        let range: JSON = ["from": 1, "to": .number(.init(count))]
        _ = try answer(run, "/replay", body: range)
        while true {
            let loop = try answer(run, "", body: nil)["loop"] ?? .null
            switch loop["status"] {
            case "running": Thread.sleep(forTimeInterval: 0.002)
            case "done" where loop["compared"]?.int == count && loop["divergence"] == nil: return
            default: throw Failed(description: "the replay ended with \(loop.text)")
            }
        }
    }

    private func answer(_ run: LinkRun, _ path: String, body: JSON?) throws -> JSON {
        guard let url = URL(string: "http://127.0.0.1:\(run.server.port)/api/v1/sessions/\(run.session)\(path)")
        else {
            throw Failed(description: "the session's id is not valid in a URL")
        }
        var request = URLRequest(url: url)
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.bytes)
        }
        let (done, answer) = (DispatchSemaphore(value: 0), Locked<Result<Data, any Error>?>(nil))
        URLSession.shared.dataTask(with: request) { data, _, error in
            answer.withLock { $0 = error.map(Result.failure) ?? .success(data ?? Data()) }
            done.signal()
        }.resume()
        done.wait()
        return try JSON(parsing: Array(answer.withLock { $0 }?.get() ?? Data()))
    }
}
