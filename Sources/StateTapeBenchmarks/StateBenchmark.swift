import Foundation
import StateTapeServer
import TapeFormat

/// Measures the HTTP request for a state of 1 MB after an event.
struct StateBenchmark {
    let quick: Bool

    func run() throws {
        let count = quick ? 2_000 : 20_000
        let run = try SealedRun(
            BenchState.ofSize(1_000_000), (0..<count).map { BenchAction.toggle($0 * 7) }, BenchState.reduce)
        var random = SystemRandomNumberGenerator()
        let clock = ContinuousClock()
        var cold: [Double] = []
        var parses: [Double] = []
        for _ in 0..<(quick ? 20 : 200) {
            // The server's caches are empty.
            let server = try run.start()
            let seq = Int.random(in: 0..<run.events, using: &random)
            var state = Data()
            cold.append(
                try clock.measure { state = try run.get("/\(run.session)/states/\(seq)", server) }
                    / .milliseconds(1))
            let bytes = [UInt8](state)
            parses.append(try clock.measure { _ = try JSON(parsing: bytes) } / .milliseconds(1))
            server.stop()
        }
        print("1MB/cold", cold, parses)

        let server = try run.start()
        let first = run.events / 2
        let next = try (first..<first + (quick ? 50 : 300)).map { seq in
            try clock.measure { _ = try run.get("/\(run.session)/states/\(seq)", server) } / .milliseconds(1)
        }
        server.stop()
        print("1MB/next", Array(next.dropFirst()), parses)
    }

    private func print(_ name: String, _ times: [Double], _ parses: [Double]) {
        Measurement(
            bench: "state", name: name, value: times.sorted()[(times.count * 99 + 99) / 100 - 1], unit: "ms",
            better: .lower, floor: ("parsing one such state", parses.median)
        ).print()
    }
}
