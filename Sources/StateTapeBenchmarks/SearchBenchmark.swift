#if Server
    import Foundation
    import TapeFormat

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// The first search of each kind over a long sealed session, by a server that has read nothing of it yet.
    struct SearchBenchmark {
        let quick: Bool

        func run() throws {
            let count = quick ? 100_000 : 1_000_000
            let name = quick ? "100k" : "1M"
            for (kind, query) in [
                ("type", "type=counter/set"), ("text", "q=9999"), ("path", "path=/other"), ("value", "value=77777"),
            ] {
                // A server for each: what one search has read, the next would find.
                let server = try BenchProcess(.server)
                defer { server.stop() }
                try ImportBenchmark.ask(
                    "POST /api/v1/sessions", ImportBenchmark.tape(count), server.port, expecting: "201")
                // Seldom: what it is asked counts as its CPU, and takes a core from it.
                while try get("", server)["sealed"]?.int != count { Thread.sleep(forTimeInterval: 0.05) }
                let reading = try ContinuousClock().measure { _ = try data("/tape", server) }
                let before = server.cpu
                let search = try ContinuousClock().measure { try goThrough(query, server) }
                Measurement(
                    bench: "search", name: "\(name)/\(kind)", value: search / .seconds(1), unit: "s", better: .lower,
                    floor: ("the tape's download", reading / .seconds(1))
                ).print()
                Measurement(
                    bench: "search", name: "\(name)/\(kind)/cpu", value: server.cpu - before, unit: "s", better: .lower
                ).print()
            }
        }

        /// Asks until all events were looked at.
        private func goThrough(_ query: String, _ server: BenchProcess) throws {
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
#endif
