import Foundation
import TapeFormat
import TapeSockets

/// Measures the events per second that viewers receive: 10 sessions with 10 viewers each. The clients are in this
/// process, the server is in another.
struct FanOutBenchmark {
    let quick: Bool
    private let sessions = 10
    private let viewers = 10
    /// The number of events in a message.
    private let batch = 16
    /// The maximum number of unacknowledged messages of an app.
    private let ahead = 8
    /// The number of 1 KB events that a viewer may lag: half of the server's buffer.
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
            floor: ("a relay of the same bytes on the same sockets", floors.median)
        ).print()
    }

    /// - Parameter slow: The number of viewers that read nothing.
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
            // A viewer that lags too far would receive `behind` instead of events.
            for viewer in viewers.dropFirst(slow) { viewer.wait(events: number * batch * sessions - farthest) }
            for app in apps {
                // The relay counts messages; the server counts events, including the first one.
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
