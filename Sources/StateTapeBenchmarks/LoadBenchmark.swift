#if Server
    import Foundation
    import TapeFormat
    import TapeSockets

    /// Many apps at once on a server in a process of its own.
    struct LoadBenchmark {
        let quick: Bool

        func run() throws {
            try measureRate()
            try measureIdle()
            try measureDeletion()
        }

        /// 100 apps that each record 100 events a second of 1 KB, and 10 viewers that watch 10 sessions each.
        private func measureRate() throws {
            let (server, loop, viewerLoop) = (try BenchProcess(.server), try EventLoop(), try EventLoop())
            defer { server.stop() }
            let seconds = quick ? 5 : 60
            let apps = (0..<100).map { LoadApp($0) }
            for app in apps { app.connect(loop, server.port) }
            let viewers = (0..<10).map { _ in LoadViewer { apps[$0].sentAt[$1] } }
            for (index, viewer) in viewers.enumerated() {
                viewer.connect(viewerLoop, server.port, apps[index * 10..<index * 10 + 10].map(\.session))
            }
            let start = Date()
            // Ten of the apps each millisecond.
            for tick in 0..<seconds * 1_000 {
                Thread.sleep(until: start + Double(tick) / 1_000)
                for app in apps[tick % 10 * 10..<tick % 10 * 10 + 10] {
                    app.send([Self.event(tick / 10 + 1)], events: 1)
                }
            }
            let count = seconds * 100
            for app in apps { app.wait(ahead: 0, of: count + 1) }
            let unsealed = try unsealed(server.port)
            for viewer in viewers { viewer.wait(events: count * 10) }
            if let problem = viewers.lazy.compactMap(\.problem).first { throw Lost(description: problem) }
            guard !apps.contains(where: \.isLost) else { throw Lost(description: "an app's connection was closed") }
            report("100x100/commit-p99", apps.flatMap { $0.latencies.dropFirst() }.p99 * 1_000, "ms")
            report("100x100/viewer-p99", viewers.flatMap(\.latencies).p99 * 1_000, "ms")
            report("100x100/server", server.memory("VmHWM"), "MiB")
            report("100x100/unsealed", Double(unsealed), "events")
            loop.stop()
            viewerLoop.stop()
        }

        /// The events that the server has not sealed yet, over all sessions. A chunk has 256.
        private func unsealed(_ port: Int) throws -> Int {
            guard let url = URL(string: "http://127.0.0.1:\(port)/api/v1/sessions?limit=100") else { return 0 }
            let sessions = try JSON(parsing: Data(contentsOf: url))["sessions"]?.array ?? []
            return sessions.reduce(0) { $0 + ($1["events"]?.int ?? 0) - ($1["sealed"]?.int ?? 0) }
        }

        /// 2 000 apps that have said hello, sent one state, and do nothing.
        private func measureIdle() throws {
            let (server, loop) = (try BenchProcess(.server), try EventLoop())
            defer { server.stop() }
            for number in 0..<2_000 { LoadApp(number).connect(loop, server.port) }
            report("idle-2000/server", server.memory("VmRSS"), "MiB")
            loop.stop()
        }

        /// How long a commit takes at most while a large session is deleted, compared with before.
        private func measureDeletion() throws {
            let (server, loop) = (try BenchProcess(.server), try EventLoop())
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

        private func report(_ name: String, _ value: Double, _ unit: String) {
            Measurement(bench: "load", name: name, value: value, unit: unit, better: .lower).print()
        }

        private static let text = (0..<60).map { _ in String(UInt64.random(in: 0...(.max)), radix: 16) }.joined()

        /// An event of 1 KB, whose text differs from that of its neighbours.
        static func event(_ seq: Int) -> [UInt8] {
            let place = seq * 7 % 400
            let payload = text.dropFirst(place) + text.prefix(place)
            return Array(
                (#"{"seq":\#(seq),"at":\#(seq),"event":"action","action":{"type":"count/up","payload":"\#(payload)"},"#
                    + #""patch":[{"op":"replace","path":"/count","value":\#(seq)}]}"#).utf8)
        }
    }

    extension [Double] {
        fileprivate var p99: Double { isEmpty ? .nan : sorted()[Swift.min(count - 1, count * 99 / 100)] }
    }
#endif
