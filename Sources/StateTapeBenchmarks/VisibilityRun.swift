import Foundation
import TapeFormat
import TapeSockets

/// Apps that record 10,000 events of 1 KB a second in total, and 10 viewers of 10 sessions each.
final class VisibilityRun {
    private static let (count, rate) = (100, 100)

    private let seconds: Int
    private let name: String
    private let fleet: ServerFleet
    private let (loop, viewerLoop): (EventLoop, EventLoop)
    private let apps = (0..<count).map { LoadApp($0) }
    /// Events of each app so far, without the first state.
    private var sent = 0

    /// - Parameters:
    ///   - seconds: How long to send for each figure.
    ///   - listens: Whether the database wakes the servers.
    init(_ database: String, seconds: Int, listens: Bool) throws {
        self.seconds = seconds
        name = listens ? "visible" : "visible/polling"
        (loop, viewerLoop) = (try EventLoop(), try EventLoop())
        fleet = try ServerFleet(database, listens: listens)
    }

    /// - Parameter cuts: How often to end the connections on which servers listen.
    func run(cuts: Int = 0) throws {
        defer {
            loop.stop()
            viewerLoop.stop()
            fleet.stop()
        }
        // HAProxy has a port for each server too, so that it is known which server has an app. With the port for all,
        // the viewers' places would have to follow where the apps happened to connect.
        for (number, app) in apps.enumerated() { app.connect(loop, fleet.ports[number % ServerFleet.count]) }
        let own = try measure(away: 0)
        for viewer in own.viewers { viewer.close() }
        let others = try measure(away: 1)
        let (times, floors) = (others.viewers.flatMap(\.latencies), own.viewers.flatMap(\.latencies))
        report("\(name)/p50", times.median, floors.median)
        report("\(name)/p99", times.p99, floors.p99)
        report("\(name)/max", times.max() ?? .nan, floors.max() ?? .nan)
        report("\(name)/servers-cpu", others.cpu, own.cpu)
        if let cpu = others.databaseCPU, let floor = own.databaseCPU { report("\(name)/database-cpu", cpu, floor) }
        if cuts > 0 { try measureCuts(cuts, others.viewers, steady: times.p99) }
    }

    /// - Parameter away: 0 for viewers at the servers of the apps that they watch, 1 for other ones.
    /// - Returns: The viewers, and the CPU time per event in seconds.
    private func measure(away: Int) throws -> (viewers: [LoadViewer], cpu: Double, databaseCPU: Double?) {
        let viewers = (0..<10).map { index in
            let server = index % ServerFleet.count
            let watched = apps.indices.filter { ($0 + away) % ServerFleet.count == server }.shuffled().prefix(10)
            let viewer = LoadViewer { [apps] in apps[$0].sentAt($1) }
            viewer.connect(viewerLoop, fleet.ports[server], watched.map { apps[$0].session })
            return viewer
        }
        let first = sent + 1
        let (cpu, databaseCPU) = (fleet.cpu, fleet.databaseCPU)
        send(seconds: seconds)
        try finish(viewers, from: first)
        let events = Double(seconds * Self.rate * Self.count)
        let used = fleet.databaseCPU.flatMap { after in databaseCPU.map { (after - $0) / events } }
        return (viewers, (fleet.cpu - cpu) / events, used)
    }

    /// The connections that listen are ended at random moments while events flow.
    private func measureCuts(_ cuts: Int, _ viewers: [LoadViewer], steady: Double) throws {
        let (before, first) = (viewers.map { $0.latencies.count }, viewers[0].seen.values.first?.lowerBound ?? 1)
        let ended = Locked<[Int]>([])
        // On a thread of its own, since an event that is sent in this moment counts too.
        let cutter = Thread { [schema = fleet.schema] in
            for _ in 0..<cuts {
                Thread.sleep(forTimeInterval: .random(in: 0.5...1.5))
                let count = (try? schema.cutListeners()) ?? 0
                ended.withLock { $0.append(count) }
            }
        }
        cutter.start()
        while !cutter.isFinished { send(seconds: 1) }
        try finish(viewers, from: first)
        let connections = ended.withLock { $0 }
        // Between two cuts each server connects again, and listens.
        guard connections.allSatisfy({ $0 > 0 }) else {
            throw Lost(description: "of \(cuts) cuts, some ended no connection: \(connections)")
        }
        FileHandle.standardError.write(
            Data("\(cuts) cuts ended \(connections.reduce(0, +)) connections that listened\n".utf8))
        let times = zip(viewers, before).flatMap { $0.latencies.dropFirst($1) }
        report("\(name)/cut-max", times.max() ?? .nan, steady, floor: "p99 without cuts")
        report("\(name)/cut-p99", times.p99, steady, floor: "p99 without cuts")
    }

    private func send(seconds: Int) {
        let start = Date()
        // Ten apps send in each millisecond.
        let turns = Self.count / 10
        for tick in 0..<seconds * 1_000 {
            Thread.sleep(until: start + Double(tick) / 1_000)
            for app in apps[tick % turns * 10..<tick % turns * 10 + 10] {
                app.send([LoadBenchmark.event(sent + tick / turns + 1)], events: 1)
            }
        }
        sent += seconds * Self.rate
    }

    /// Waits until everything has arrived, each event exactly once.
    ///
    /// - Parameter first: The first event that the viewers get.
    private func finish(_ viewers: [LoadViewer], from first: Int) throws {
        for app in apps { app.wait(ahead: 0, of: sent + 1) }
        guard !apps.contains(where: \.isLost) else { throw Lost(description: "an app's connection was closed") }
        let events = (sent - first + 1) * 10
        for viewer in viewers { viewer.wait(events: events) }
        if let problem = viewers.lazy.compactMap(\.problem).first { throw Lost(description: problem) }
        for viewer in viewers {
            let seen = viewer.seen
            guard viewer.events == events, seen.count == 10, seen.values.allSatisfy({ $0 == first...sent }) else {
                throw Lost(description: "a viewer should have got events \(first) to \(sent) once, and got \(seen)")
            }
        }
    }

    private func report(
        _ name: String, _ value: Double, _ floor: Double,
        floor what: String = "with viewers at the app's own server"
    ) {
        let isCPU = name.hasSuffix("cpu")
        let scale = isCPU ? 1e6 : 1_000
        Measurement(
            bench: "servers", name: name, value: value * scale, unit: isCPU ? "µs/event" : "ms", better: .lower,
            floor: (what, floor * scale)
        ).print()
    }
}
