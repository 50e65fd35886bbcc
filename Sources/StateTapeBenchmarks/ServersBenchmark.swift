import Foundation
import TapeSockets

/// Measures three servers that share a database, behind HAProxy: how soon events are visible at other servers than
/// their app's, how long a push takes that has to reach another server, and what crashes lose.
struct ServersBenchmark {
    let quick: Bool
    let database: String
    /// How often a server is killed.
    let kills: Int

    func run() throws {
        let seconds = quick ? 5 : 60
        try VisibilityRun(database, seconds: seconds, listens: true).run(cuts: quick ? 5 : 30)
        try VisibilityRun(database, seconds: seconds, listens: false).run()
        try measurePush()
        if kills > 0 { try CrashRun(database: database, kills: kills).run() }
    }

    /// Pushes to an app through its own server and through another one, in turns.
    private func measurePush() throws {
        let fleet = try ServerFleet(database)
        defer { fleet.stop() }
        let loop = try EventLoop()
        defer { loop.stop() }
        let app = PushedApp()
        app.connect(loop, fleet.ports[0])
        func push(_ number: Int, through port: Int) throws -> Double {
            let body = Array(#"{"state":{"count":\#(number)}}"#.utf8)
            return try ContinuousClock().measure {
                try ImportBenchmark.ask(
                    "POST /api/v1/sessions/\(PushedApp.session)/push", body, port, expecting: "200")
            } / .seconds(1)
        }
        var (own, other): ([Double], [Double]) = ([], [])
        for number in 0..<200 {
            own.append(try push(number * 2, through: fleet.ports[0]))
            other.append(try push(number * 2 + 1, through: fleet.ports[1]))
        }
        report("push/p50", other.median, own.median)
        report("push/p95", other.p95, own.p95)
    }

    private func report(_ name: String, _ value: Double, _ floor: Double) {
        Measurement(
            bench: "servers", name: name, value: value * 1_000, unit: "ms", better: .lower,
            floor: ("through the app's own server", floor * 1_000)
        ).print()
    }
}
