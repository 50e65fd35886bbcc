import Foundation
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures the first search of each kind in a long sealed session, with empty caches.
struct SearchBenchmark {
    let quick: Bool

    func run() throws {
        let count = quick ? 100_000 : 1_000_000
        let name = quick ? "100k" : "1M"
        for (kind, query) in [
            ("type", "type=counter/set"), ("text", "q=9999"), ("path", "path=/other"), ("value", "value=77777"),
        ] {
            // A new server for each search, because the last one has filled its caches.
            let server = try BenchProcess(.server)
            defer { server.stop() }
            try ImportBenchmark.ask(
                "POST /api/v1/sessions", ImportBenchmark.tape(count), server.port, expecting: "201")
            // Polls rarely, because requests cost the server CPU time.
            while try get("", server)["sealed"]?.int != count { Thread.sleep(forTimeInterval: 0.05) }
            let reading = try ContinuousClock().measure { _ = try data("/tape", server) }
            let before = server.cpu
            let search = try ContinuousClock().measure { try searchAll(query, server) }
            Measurement(
                bench: "search", name: "\(name)/\(kind)", value: search / .seconds(1), unit: "s", better: .lower,
                floor: ("the tape's download", reading / .seconds(1))
            ).print()
            Measurement(
                bench: "search", name: "\(name)/\(kind)/cpu", value: server.cpu - before, unit: "s", better: .lower
            ).print()
        }
    }

    /// Requests pages until all events were searched.
    private func searchAll(_ query: String, _ server: BenchProcess) throws {
        var next: Int? = 0
        while let from = next { next = try get("/matches?from=\(from)&limit=100000&\(query)", server)["next"]?.int }
    }

    private func get(_ path: String, _ server: BenchProcess) throws -> JSON {
        try JSON(parsing: data(path, server))
    }

    private func data(_ path: String, _ server: BenchProcess) throws -> Data {
        let session = "http://127.0.0.1:\(server.port)/api/v1/sessions/BENCH-IMPORT"
        guard let url = URL(string: session + path) else { return Data() }
        return try Data(contentsOf: url)
    }
}
