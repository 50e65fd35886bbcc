#if Server
    import Foundation
    import TapeFormat
    import TapeSockets

    /// Events a second that reach viewers: 10 sessions, each watched by 10 viewers. Clients are in this process, the server
    /// in another.
    struct FanOutBenchmark {
        let quick: Bool
        private let sessions = 10
        private let viewers = 10
        /// Events of a message, and messages that an app is ahead of its acknowledgements.
        private let batch = 16
        private let ahead = 8
        /// Events of 1 KB that a viewer may be behind: half of what the server keeps for it.
        private let farthest = 2_000

        func run() throws {
            try measure("10x10", slow: 0)
            try measure("slow-viewer", slow: 1)
        }

        private func measure(_ name: String, slow: Int) throws {
            var rates: [Double] = []
            var floors: [Double] = []
            for _ in 0..<(quick ? 1 : 5) {
                rates.append(try rate(.server, slow: slow))
                floors.append(try rate(.relay, slow: slow))
            }
            Measurement(
                bench: "fanout", name: name, value: rates.median, unit: "events/s", better: .higher,
                floor: ("the same bytes through bare libwebsockets", floors.median)
            ).print()
        }

        /// - Parameter slow: So many of the viewers read nothing.
        private func rate(_ kind: BenchProcess.Kind, slow: Int) throws -> Double {
            let (server, loop, viewerLoop) = (try BenchProcess(kind), try EventLoop(), try EventLoop())
            defer {
                loop.stop()
                viewerLoop.stop()
                server.stop()
            }
            let isBare = kind == .relay
            let apps = (0..<sessions).map { LoadApp($0, isBare: isBare) }
            for app in apps { app.connect(loop, server.port) }
            let viewers = (0..<viewers).map { _ in LoadViewer() }
            for viewer in viewers { viewer.connect(viewerLoop, server.port, isBare ? [] : apps.map(\.session)) }
            for viewer in viewers.prefix(slow) { viewer.pauseReading() }
            let messages = (quick ? 2_000 : 10_000) / batch
            let clock = ContinuousClock()
            let start = clock.now
            for number in 0..<messages {
                // One that falls behind would be told so in place of events.
                for viewer in viewers.dropFirst(slow) { viewer.wait(events: number * batch * sessions - farthest) }
                for app in apps {
                    // The relay counts messages, the server events, of which one was there before.
                    app.wait(ahead: isBare ? ahead : ahead * batch, of: isBare ? number : number * batch + 1)
                    let seqs = number * batch + 1...(number + 1) * batch
                    let lines = seqs.map { seq in
                        isBare ? Self.wrapped(seq, app.session) : LoadBenchmark.event(seq)
                    }
                    app.send(lines, events: batch)
                }
            }
            for viewer in viewers.dropFirst(slow) { viewer.wait(events: messages * batch * sessions) }
            let duration = clock.now - start
            if let problem = viewers.dropFirst(slow).lazy.compactMap(\.problem).first {
                throw Lost(description: problem)
            }
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            return Double(messages * batch * sessions * (self.viewers - slow)) / seconds
        }

        private static func wrapped(_ seq: Int, _ session: String) -> [UInt8] {
            Array(#"{"event":{"session":"\#(session)","line":"#.utf8) + LoadBenchmark.event(seq) + Array("}}".utf8)
        }
    }
#endif
