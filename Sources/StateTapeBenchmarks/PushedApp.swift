import Foundation
import TapeFormat
import TapeSockets

/// A minimal app that answers each push at once.
final class PushedApp: ConnectionHandler, Sendable {
    static let session = "BENCH-PUSHED"
    private let next = Locked(0)
    private let isReady = DispatchSemaphore(value: 0)

    /// Connects, and returns once the first state is committed.
    func connect(_ loop: EventLoop, _ port: Int) {
        Client.connect(
            on: loop, to: "ws://127.0.0.1:\(port)/v1/app", subprotocol: "statetape.v1", handler: self)
        isReady.wait()
    }

    func opened(_ connection: Connection) {
        let header = Header(session: Self.session, app: .init(id: "bench"), started: "2026-11-20T10:00:00Z")
        connection.send(AppLine.hello(Hello(header: header, key: "key", next: 0, fresh: false)).bytes)
        send(connection, .`init`, [("state", ["count": 0])])
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            switch try? ServerLine(parsing: Array(line)) {
            case .ack(1): isReady.signal()
            case .push(let push):
                guard case .state(let state) = push.content else { continue }
                let seq = send(
                    connection, .replace, [("state", state), ("cause", ["push": .string(push.id)])])
                connection.send(AppLine.pushed(Pushed(id: push.id, result: .played(seq: seq))).bytes)
            default: break
            }
        }
    }

    @discardableResult
    private func send(_ connection: Connection, _ kind: EventKind, _ members: [(String, JSON)]) -> Int {
        let seq = next.withLock { next in
            defer { next += 1 }
            return next
        }
        connection.send(EventLine(seq: seq, at: Double(seq), kind: kind, members: members).bytes)
        return seq
    }

    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
