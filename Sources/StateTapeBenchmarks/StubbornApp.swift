import Foundation
import TapeFormat
import TapeSockets

/// A minimal app that keeps all its lines, connects again when its connection ends, and sends what isn't stored.
final class StubbornApp: ConnectionHandler, Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var connection: Connection?
        /// How many lines were sent on the connection, or didn't have to be; nil before `welcome`.
        var sent: Int?
        var acknowledged = 0
        var attempt = 0
        var problem: String?
        var isOver = false
    }

    let session: String
    private let loop: EventLoop
    private let port: Int
    private let state = Locked(State())
    private let changed = DispatchSemaphore(value: 0)

    var lines: [[UInt8]] { state.withLock { $0.lines } }
    var reconnects: Int { state.withLock { $0.attempt - 1 } }

    init(_ number: Int, _ loop: EventLoop, _ port: Int) {
        session = String(format: "BENCH-CRASH-%04d", number)
        (self.loop, self.port) = (loop, port)
    }

    func connect() {
        state.withLock { $0.attempt += 1 }
        Client.connect(
            on: loop, to: "ws://127.0.0.1:\(port)/v1/app", subprotocol: "statetape.v1", handler: self)
    }

    func record() {
        state.withLock { state in
            let seq = state.lines.count
            state.lines.append(
                seq == 0
                    ? EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["count": 0])]).bytes
                    : LoadBenchmark.event(seq))
        }
        loop.execute { self.sendMore() }
    }

    /// Waits until everything is acknowledged, and closes.
    func finish() throws {
        while state.withLock({ $0.acknowledged < $0.lines.count }) {
            guard changed.wait(timeout: .now() + 60) == .timedOut else { continue }
            let (acknowledged, count) = state.withLock { ($0.acknowledged, $0.lines.count) }
            throw Lost(description: "\(session): only \(acknowledged) of \(count) events are acknowledged")
        }
        let (connection, problem) = state.withLock { state in
            state.isOver = true
            return (state.connection, state.problem)
        }
        if let problem { throw Lost(description: "\(session): \(problem)") }
        connection?.close(code: 1000, reason: "")
    }

    /// Only on the loop, so that the lines stay in order.
    private func sendMore() {
        let (connection, lines) = state.withLock { state -> (Connection?, ArraySlice<[UInt8]>) in
            guard let sent = state.sent else { return (nil, []) }
            state.sent = state.lines.count
            return (state.connection, state.lines.dropFirst(sent))
        }
        if !lines.isEmpty { connection?.send(Array(lines.joined(separator: [UInt8(ascii: "\n")]))) }
    }

    func opened(_ connection: Connection) {
        let attempt = state.withLock { state in
            state.connection = connection
            return state.attempt
        }
        let header = Header(session: session, app: .init(id: "bench"), started: "2026-11-20T10:00:00Z")
        connection.send(
            AppLine.hello(Hello(header: header, key: "key", next: 0, fresh: false, attempt: attempt)).bytes)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            switch try? ServerLine(parsing: Array(line)) {
            case .welcome(let welcome):
                state.withLock { state in
                    state.sent = welcome.have
                    // A recorder has deleted what was acknowledged, and couldn't send it again.
                    if welcome.have < state.acknowledged {
                        state.problem = "\(welcome.have) of \(state.acknowledged) acknowledged events are left"
                    }
                    state.acknowledged = max(state.acknowledged, welcome.have)
                }
                sendMore()
            case .ack(let next): state.withLock { $0.acknowledged = max($0.acknowledged, next) }
            default: break
            }
        }
        changed.signal()
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        let isOver = state.withLock { state in
            (state.sent, state.connection) = (nil, nil)
            return state.isOver
        }
        if !isOver { loop.schedule(after: .milliseconds(100)) { self.connect() } }
    }
}
