import Foundation
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures the server's CPU time per event from the commit until it is sealed, in a long session and a longer one.
struct SealBenchmark {
    let quick: Bool

    func run() throws {
        let (short, long) = quick ? (20_000, 200_000) : (100_000, 1_000_000)
        let rounds = 0..<(quick ? 1 : 3)
        var (shorts, longs): ([Double], [Double]) = ([], [])
        for _ in rounds {
            shorts.append(try cost(short))
            longs.append(try cost(long))
        }
        report(short, shorts.median, nil)
        report(long, longs.median, ("in a session of \(short)", shorts.median))
    }

    private func report(_ count: Int, _ value: Double, _ floor: (String, Double)?) {
        let name = count % 1_000_000 == 0 ? "\(count / 1_000_000)M" : "\(count / 1_000)k"
        Measurement(bench: "seal", name: name, value: value, unit: "µs CPU/event", better: .lower, floor: floor)
            .print()
    }

    /// The CPU time per event in µs, from the answer to an upload until all events are sealed.
    private func cost(_ count: Int) throws -> Double {
        let server = try BenchProcess(.server)
        defer { server.stop() }
        try ImportBenchmark.ask(
            "POST /api/v1/sessions", ImportBenchmark.tape(count), server.port, expecting: "201")
        let (before, sealed) = (server.cpu, try Self.sealed(server))
        // Polls rarely, because requests cost the server CPU time.
        while try Self.sealed(server) < count { Thread.sleep(forTimeInterval: 0.05) }
        return (server.cpu - before) / Double(count - sealed) * 1e6
    }

    private static func sealed(_ server: BenchProcess) throws -> Int {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/api/v1/sessions/BENCH-IMPORT") else {
            return 0
        }
        return try JSON(parsing: Data(contentsOf: url))["sealed"]?.int ?? 0
    }
}
