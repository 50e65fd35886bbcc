import Foundation
import TapeFormat
import TapeSockets

/// Measures a server in its own process with many apps.
struct LoadBenchmark {
    let quick: Bool
    /// The address of the database with the archive; nil for a file.
    var database: String?

    func run() throws {
        try measureRate(apps: 100, each: 100, seconds: quick ? 5 : 60)
        try measureRate(apps: 200, each: 50, watched: 20, seconds: quick ? 5 : 180)
        try measureRate(apps: 1_000, each: 10, seconds: quick ? 5 : 30)
        try measureIdle()
        try measureDeletion()
    }

    /// Apps that record 10,000 events of 1 KB per second in total, and 10 viewers that watch some of their sessions each.
    private func measureRate(apps count: Int, each rate: Int, watched: Int = 10, seconds: Int) throws {
        let schema = try database.map { try DatabaseSchema(in: $0) }
        let processes = schema.flatMap(DatabaseProcesses.init)
        let server = try BenchProcess(.server, database: schema)
        // With one loop for all, `poll()` would look at each app's connection whenever one of them has something.
        let loops = try (0..<10).map { _ in try EventLoop() }
        let viewerLoop = try EventLoop()
        defer { server.stop() }
        let apps = (0..<count).map { LoadApp($0) }
        for (index, app) in apps.enumerated() { app.connect(loops[index % loops.count], server.port) }
        let viewers = (0..<10).map { _ in LoadViewer { apps[$0].sentAt($1) } }
        for (index, viewer) in viewers.enumerated() {
            viewer.connect(viewerLoop, server.port, apps[index * watched..<(index + 1) * watched].map(\.session))
        }
        let (before, databaseBefore, start) = (server.cpu, processes?.cpu, Date())
        // Ten apps send in each millisecond.
        let turns = count / 10
        for tick in 0..<seconds * 1_000 {
            Thread.sleep(until: start + Double(tick) / 1_000)
            for app in apps[tick % turns * 10..<tick % turns * 10 + 10] {
                app.send([Self.event(tick / turns + 1)], events: 1)
            }
        }
        let events = seconds * rate
        for app in apps { app.wait(ahead: 0, of: events + 1) }
        let (cpu, databaseCPU) = (server.cpu - before, processes?.cpu)
        let unsealed = try unsealed(server.port, of: count)
        for viewer in viewers { viewer.wait(events: events * watched) }
        if let problem = viewers.lazy.compactMap(\.problem).first { throw Lost(description: problem) }
        guard !apps.contains(where: \.isLost) else { throw Lost(description: "an app's connection was closed") }
        let name = "\(count)x\(rate)"
        let latencies = apps.flatMap { $0.latencies.dropFirst() }
        report("\(name)/commit-p50", latencies.median * 1_000, "ms")
        report("\(name)/commit-p99", latencies.p99 * 1_000, "ms")
        report("\(name)/viewer-p99", viewers.flatMap(\.latencies).p99 * 1_000, "ms")
        report("\(name)/server", server.memory("VmHWM"), "MiB")
        report("\(name)/server-cpu", cpu / Double(events * count) * 1e6, "µs/event")
        if let databaseBefore, let databaseCPU {
            report(
                "\(name)/database-cpu", (databaseCPU - databaseBefore) / Double(events * count) * 1e6, "µs/event")
        }
        report("\(name)/unsealed", Double(unsealed), "events")
        for loop in loops + [viewerLoop] { loop.stop() }
    }

    /// The number of events in all sessions that the server has not sealed yet. A chunk has 256.
    private func unsealed(_ port: Int, of count: Int) throws -> Int {
        var (sum, cursor) = (0, "")
        for _ in 0..<count / 100 {
            let path = "/api/v1/sessions?limit=100\(cursor)"
            guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { return 0 }
            let page = try JSON(parsing: Data(contentsOf: url))
            for session in page["sessions"]?.array ?? [] {
                sum += (session["events"]?.int ?? 0) - (session["sealed"]?.int ?? 0)
            }
            cursor = page["next"]?.string.map { "&before=\($0)" } ?? ""
        }
        return sum
    }

    /// 2,000 connected apps that are idle after sending one state.
    private func measureIdle() throws {
        let (server, loop) = (try startServer(), try EventLoop())
        defer { server.stop() }
        for number in 0..<2_000 { LoadApp(number).connect(loop, server.port) }
        report("idle-2000/server", server.memory("VmRSS"), "MiB")
        loop.stop()
    }

    /// The maximum duration of a commit during the deletion of a large session, compared with before.
    private func measureDeletion() throws {
        let (server, loop) = (try startServer(), try EventLoop())
        defer { server.stop() }
        let tape = ImportBenchmark.tape(quick ? 100_000 : 1_000_000)
        try ImportBenchmark.ask("POST /api/v1/sessions", tape, server.port, expecting: "201")
        let app = LoadApp(0)
        app.connect(loop, server.port)
        var sent = 1
        func longest(seconds: Int) -> Double {
            let start = Date()
            for tick in 0..<seconds * 500 {
                Thread.sleep(until: start + Double(tick) / 500)
                app.send([Self.event(sent)], events: 1)
                sent += 1
            }
            app.wait(ahead: 0, of: sent)
            return app.latencies.suffix(seconds * 500).max() ?? .nan
        }
        let seconds = quick ? 2 : 5
        let before = longest(seconds: seconds)
        try ImportBenchmark.ask("DELETE /api/v1/sessions/BENCH-IMPORT", [], server.port, expecting: "204")
        Measurement(
            bench: "load", name: "deletion/commit-max", value: longest(seconds: seconds) * 1_000, unit: "ms",
            better: .lower, floor: ("before the deletion", before * 1_000)
        ).print()
        loop.stop()
    }

    private func startServer() throws -> BenchProcess {
        try BenchProcess(.server, database: database.map { try DatabaseSchema(in: $0) })
    }

    private func report(_ name: String, _ value: Double, _ unit: String) {
        Measurement(bench: "load", name: name, value: value, unit: unit, better: .lower).print()
    }

    private static let text = (0..<60).map { _ in String(UInt64.random(in: 0...(.max)), radix: 16) }.joined()

    /// An event of 1 KB; consecutive events have different texts.
    static func event(_ seq: Int) -> [UInt8] {
        let place = seq * 7 % 400
        let payload = text.dropFirst(place) + text.prefix(place)
        return Array(
            (#"{"seq":\#(seq),"at":\#(seq),"event":"action","action":{"type":"count/up","payload":"\#(payload)"},"#
                + #""patch":[{"op":"replace","path":"/count","value":\#(seq)}]}"#).utf8)
    }
}

extension [Double] {
    var p99: Double { at(0.99) }
    var p95: Double { at(0.95) }

    private func at(_ share: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
