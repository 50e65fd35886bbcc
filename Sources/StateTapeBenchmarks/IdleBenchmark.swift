import Foundation
import TapeSockets

/// Measures the server's cost of idle connected apps.
struct IdleBenchmark {
    let quick: Bool

    func run() throws {
        let count = quick ? 1_000 : 4_000
        let server = try BenchProcess(.server)
        defer { server.stop() }
        // Each app has its own loop; a shared one would be the bottleneck.
        let port = server.port
        let loops = try (0..<16).map { _ in try EventLoop() }
        let start = Date()
        DispatchQueue.concurrentPerform(iterations: loops.count) { index in
            for number in stride(from: index, to: count, by: loops.count) {
                LoadApp(number).connect(loops[index], port)
            }
        }
        report("connect-\(count)", Date().timeIntervalSince(start), "s")
        // Longer than the ping interval of an idle app.
        let seconds = quick ? 5.0 : 25.0
        let (before, begin) = (server.cpu, Date())
        Thread.sleep(forTimeInterval: seconds)
        report("\(count)", (server.cpu - before) / Date().timeIntervalSince(begin) * 100, "% of a core")
        for loop in loops { loop.stop() }
    }

    private func report(_ name: String, _ value: Double, _ unit: String) {
        Measurement(bench: "load", name: "idle/\(name)", value: value, unit: unit, better: .lower).print()
    }
}
