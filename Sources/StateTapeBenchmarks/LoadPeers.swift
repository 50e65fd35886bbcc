import Foundation
import TapeFormat
import TapeSockets

/// The reason why a run failed.
struct Lost: Error, CustomStringConvertible {
    let description: String
}

/// A minimal app, which sends prepared lines and stores the time of each.
final class LoadApp: ConnectionHandler, Sendable {
    private struct State {
        var connection: Connection?
        var isWelcome = false
        var acknowledged = 0
        /// The time at which each event was sent, in seconds.
        var sent: [Double] = []
        /// The duration of each commit, in seconds.
        var latencies: [Double] = []
        var isLost = false
    }

    let session: String
    private let isBare: Bool
    private let changed = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    var acknowledged: Int { state.withLock { $0.acknowledged } }
    var latencies: [Double] { state.withLock { $0.latencies } }
    /// The time at which an event was sent.
    func sentAt(_ seq: Int) -> Double { state.withLock { $0.sent[seq] } }
    var isLost: Bool { state.withLock { $0.isLost } }

    /// - Parameters:
    ///   - number: The number in the session's id.
    ///   - isBare: Whether the app talks to a relay, which only acknowledges messages.
    init(_ number: Int, isBare: Bool = false) {
        session = String(format: "BENCH-LOAD-%04d", number)
        self.isBare = isBare
    }

    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Connects, and returns after `welcome` and the commit of the first state.
    func connect(_ loop: EventLoop, _ port: Int) {
        let connection = Client.connect(
            on: loop, to: "ws://127.0.0.1:\(port)/v1/app", subprotocol: "statetape.v1", handler: self)
        state.withLock { $0.connection = connection }
        changed.wait()
        if isBare { return }
        send([Array(#"{"seq":0,"at":0,"event":"init","state":{"count":0,"items":["one","two"]}}"#.utf8)], events: 1)
        while acknowledged < 1, !isLost { changed.wait() }
    }

    /// Waits until at most `ahead` messages or events are unacknowledged.
    func wait(ahead: Int, of sent: Int) {
        while sent - acknowledged > ahead, !isLost { changed.wait() }
    }

    func send(_ lines: [[UInt8]], events: Int) {
        let now = Self.now
        let connection = state.withLock { state in
            state.sent += Array(repeating: now, count: events)
            return state.connection
        }
        connection?.send(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    func close() { state.withLock { $0.connection }?.close(code: 1000, reason: "") }

    func opened(_ connection: Connection) {
        if isBare { changed.signal() } else { connection.send(AppLine.hello(hello).bytes) }
    }

    private var hello: Hello {
        Hello(
            header: Header(session: session, app: .init(id: "bench"), started: "2026-11-20T10:00:00Z"),
            key: "key", next: 0, fresh: false)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        let now = Self.now
        for line in message.lines {
            if isBare {
                state.withLock { $0.acknowledged += 1 }
            } else if case .ack(let next)? = try? ServerLine(parsing: Array(line)) {
                state.withLock { state in
                    let sent = state.sent[state.acknowledged..<max(next, state.acknowledged)]
                    state.latencies += sent.map { now - $0 }
                    state.acknowledged = next
                }
            }
        }
        changed.signal()
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        state.withLock { $0.isLost = true }
        changed.signal()
    }
}

extension [UInt8] {
    /// The lines of a message, found without a look at each byte: this thread shares two cores with the server.
    fileprivate var lines: [ArraySlice<UInt8>] {
        withUnsafeBytes { bytes in
            var lines: [ArraySlice<UInt8>] = []
            var start = 0
            while start < count {
                let end =
                    memchr(bytes.baseAddress! + start, 10, count - start).map {
                        bytes.baseAddress!.distance(to: $0)
                    } ?? count
                if end > start { lines.append(self[start..<end]) }
                start = end + 1
            }
            return lines
        }
    }
}

/// A viewer that counts events with minimal parsing.
final class LoadViewer: ConnectionHandler, Sendable {
    private struct State {
        var connection: Connection?
        var watching = 0
        var events = 0
        var latencies: [Double] = []
        /// By app: its events that came, without a gap.
        var seen: [Int: ClosedRange<Int>] = [:]
        var problem: String?
    }

    private static let start = Array(#"{"event":{"session":"BENCH-LOAD-"#.utf8)

    private let sentAt: (@Sendable (_ app: Int, _ seq: Int) -> Double)?
    private let changed = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    var events: Int { state.withLock { $0.events } }
    var latencies: [Double] { state.withLock { $0.latencies } }
    var problem: String? { state.withLock { $0.problem } }
    /// By app: its events that came, each once and in order.
    var seen: [Int: ClosedRange<Int>] { state.withLock { $0.seen } }

    /// - Parameter sentAt: Returns the time at which an event was sent; nil to only count.
    init(sentAt: (@Sendable (_ app: Int, _ seq: Int) -> Double)? = nil) {
        self.sentAt = sentAt
    }

    /// Connects, and returns when it watches the sessions.
    func connect(_ loop: EventLoop, _ port: Int, _ sessions: [String]) {
        let connection = Client.connect(
            on: loop, to: "ws://127.0.0.1:\(port)/v1/viewer", subprotocol: "statetape.viewer.v1", handler: self)
        state.withLock { $0.connection = connection }
        changed.wait()
        for session in sessions { connection.send(ViewerRequest.watch(session: session).bytes) }
        while state.withLock({ $0.watching }) < sessions.count, problem == nil { changed.wait() }
    }

    func wait(events: Int) {
        while self.events < events, problem == nil {
            // An event that is on its way comes sooner, even on a busy machine.
            guard changed.wait(timeout: .now() + 60) == .timedOut else { continue }
            state.withLock { $0.problem = $0.problem ?? "a viewer got \($0.events) of \(events) events" }
        }
    }

    func pauseReading() { state.withLock { $0.connection }?.pauseReading() }
    func close() { state.withLock { $0.connection }?.close(code: 1000, reason: "") }
    func opened(_ connection: Connection) { changed.signal() }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        let now = LoadApp.now
        for line in message.lines {
            if line.starts(with: Self.start) {
                guard let sentAt else {
                    state.withLock { $0.events += 1 }
                    continue
                }
                let (app, seq) = (Self.number(line, at: 32), Self.number(line, at: 52))
                let latency = now - sentAt(app, seq)
                state.withLock { state in
                    state.events += 1
                    state.latencies.append(latency)
                    let seen = state.seen[app] ?? seq...seq
                    if state.seen[app] != nil, seq != seen.upperBound + 1 {
                        state.problem = "a viewer got event \(seq) of app \(app) after event \(seen.upperBound)"
                    }
                    state.seen[app] = seen.lowerBound...max(seq, seen.lowerBound)
                }
            } else if line.starts(with: #"{"watching""#.utf8) {
                state.withLock { $0.watching += 1 }
            } else if line.starts(with: #"{"behind""#.utf8) {
                state.withLock { $0.problem = "a viewer fell behind" }
            }
        }
        changed.signal()
    }

    /// Parses the digits from an offset of the line on.
    private static func number(_ line: ArraySlice<UInt8>, at offset: Int) -> Int {
        line.dropFirst(offset).prefix { 48...57 ~= $0 }.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        state.withLock { $0.problem = $0.problem ?? "a viewer was closed: \(reason)" }
        changed.signal()
    }
}
