#if Server
    import Foundation
    import TapeSockets

    /// Measures three servers that share a database, behind HAProxy: how soon events are visible at other servers than
    /// their app's, how long a push takes that has to reach another server, and what crashes lose.
    struct ServersBenchmark {
        let quick: Bool
        let database: String
        /// How often a server is killed.
        let kills: Int
        private var seconds: Int { quick ? 5 : 60 }

        func run() throws {
            try measureVisibility(listens: true)
            try measureVisibility(listens: false)
            try measurePush()
            if kills > 0 { try CrashRun(database: database, kills: kills).run() }
        }

        // MARK: Visibility

        /// Apps that record 10,000 events of 1 KB a second in total; 10 viewers, each of 10 sessions whose apps are
        /// connected to another server, and then 10 at the apps' own servers.
        private func measureVisibility(listens: Bool) throws {
            let count = 100
            let fleet = try ServerFleet(database, listens: listens)
            defer { fleet.stop() }
            let (loop, viewerLoop) = (try EventLoop(), try EventLoop())
            defer {
                loop.stop()
                viewerLoop.stop()
            }
            // Each app takes the proxy's port of one server, as turns do, so that it is known which server has it.
            let apps = (0..<count).map { LoadApp($0) }
            for (number, app) in apps.enumerated() { app.connect(loop, fleet.ports[number % ServerFleet.count]) }
            func viewers(_ shift: Int) -> [LoadViewer] {
                (0..<10).map { index in
                    let server = index % ServerFleet.count
                    let near = apps.indices.filter { ($0 + shift) % ServerFleet.count == server }
                    let viewer = LoadViewer { apps[$0].sentAt[$1] }
                    viewer.connect(viewerLoop, fleet.ports[server], near.shuffled().prefix(10).map { apps[$0].session })
                    return viewer
                }
            }
            func cpu() -> Double { fleet.servers.map(\.cpu).reduce(0, +) }
            func phase(_ shift: Int, from: Int) throws -> (viewers: [LoadViewer], cpu: Double) {
                let (watching, before) = (viewers(shift), cpu())
                try send(apps, seconds: seconds, from: from)
                try finish(apps, watching, sent: from + seconds * 100, seen: seconds * 1_000)
                return (watching, (cpu() - before) / Double(seconds * 100 * count) * 1e6)
            }
            let (own, ownCPU) = try phase(0, from: 0)
            for viewer in own { viewer.close() }
            let (others, othersCPU) = try phase(1, from: seconds * 100)
            let name = listens ? "visible" : "visible/polling"
            report("\(name)/p50", others.flatMap(\.latencies).median, own.flatMap(\.latencies).median)
            report("\(name)/p99", others.flatMap(\.latencies).p99, own.flatMap(\.latencies).p99)
            Measurement(
                bench: "servers", name: "\(name)/servers-cpu", value: othersCPU, unit: "µs/event", better: .lower,
                floor: ("with viewers at the app's own server", ownCPU)
            ).print()
            guard listens else { return }
            try measureCuts(fleet, apps, others, from: seconds * 200)
        }

        /// The connections that listen are ended again and again.
        private func measureCuts(_ fleet: ServerFleet, _ apps: [LoadApp], _ viewers: [LoadViewer], from: Int) throws {
            let before = viewers.map { $0.latencies.count }
            let steady = viewers.flatMap(\.latencies).p99
            let cuts = quick ? 5 : 20
            try send(apps, seconds: cuts, from: from) { second in try? fleet.cutListeners() }
            try finish(apps, viewers, sent: from + cuts * 100, seen: (seconds + cuts) * 1_000)
            let after = zip(viewers, before).flatMap { $0.latencies.dropFirst($1) }
            report("visible/cut-max", after.max() ?? .nan, steady, floor: "p99 without cuts")
        }

        private func send(
            _ apps: [LoadApp], seconds: Int, from: Int = 0, each: (_ second: Int) -> Void = { _ in }
        ) throws {
            let start = Date()
            // Ten apps send in each millisecond.
            let turns = apps.count / 10
            for tick in 0..<seconds * 1_000 {
                Thread.sleep(until: start + Double(tick) / 1_000)
                for app in apps[tick % turns * 10..<tick % turns * 10 + 10] {
                    app.send([LoadBenchmark.event(from + tick / turns + 1)], events: 1)
                }
                if tick % 1_000 == 500 { each(tick / 1_000) }
            }
        }

        /// - Parameters:
        ///   - sent: Each app's events, without the first state.
        ///   - seen: Each viewer's events.
        private func finish(_ apps: [LoadApp], _ viewers: [LoadViewer], sent: Int, seen: Int) throws {
            for app in apps { app.wait(ahead: 0, of: sent + 1) }
            for viewer in viewers { viewer.wait(events: seen) }
            if let problem = viewers.lazy.compactMap(\.problem).first { throw Lost(description: problem) }
            guard !apps.contains(where: \.isLost) else { throw Lost(description: "an app's connection was closed") }
            guard viewers.allSatisfy({ $0.events == seen }) else {
                throw Lost(description: "a viewer got an event twice")
            }
        }

        // MARK: Pushes

        private func measurePush() throws {
            let fleet = try ServerFleet(database)
            defer { fleet.stop() }
            let loop = try EventLoop()
            defer { loop.stop() }
            let app = PushedApp()
            app.connect(loop, fleet.ports[0])
            func times(_ port: Int) throws -> [Double] {
                try (0..<(quick ? 50 : 200)).map { number in
                    let body = Array(#"{"state":{"count":\#(number)}}"#.utf8)
                    return try ContinuousClock().measure {
                        try ImportBenchmark.ask(
                            "POST /api/v1/sessions/\(PushedApp.session)/push", body, port, expecting: "200")
                    } / .seconds(1)
                }
            }
            let (own, other) = try withExtendedLifetime(app) { (try times(fleet.ports[0]), try times(fleet.ports[1])) }
            report("push/p50", other.median, own.median, floor: "through the app's own server")
            report("push/p95", other.p95, own.p95, floor: "through the app's own server")
        }

        private func report(
            _ name: String, _ value: Double, _ floor: Double, floor what: String = "at the app's own server"
        ) {
            Measurement(
                bench: "servers", name: name, value: value * 1_000, unit: "ms", better: .lower,
                floor: (what, floor * 1_000)
            ).print()
        }
    }
#endif
