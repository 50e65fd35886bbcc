import Foundation
import StateTapeServer
import StateTapeStore
import TapeFormat
import TapeSockets

/// The method of other tools: encodes the whole state in each dispatch, and sends it.
final class WholeStates<State: Encodable, Action> {
    private let sender = Sender()
    private let connection: Connection
    private let encoder = JSONEncoder()
    private let reducer: Reducer<State, Action>
    private var state: State
    private var seq = 1

    init(to run: LinkRun, state: State, reducer: @escaping Reducer<State, Action>) throws {
        self.state = state
        self.reducer = reducer
        connection = Client.connect(
            on: run.loop, to: "ws://127.0.0.1:\(run.server.port)/v1/app", subprotocol: "statetape.v1",
            handler: sender)
        let header = Header(
            session: UUID().uuidString, app: .init(id: "bench"), started: "2026-01-01T00:00:00.000Z")
        connection.send(AppLine.hello(Hello(header: header, key: "bench", next: 0, fresh: true)).bytes)
        connection.send(try line(seq: 0, #""event":"init""#))
    }

    func dispatch(_ action: Action) {
        reducer(&state, action)
        guard let line = try? line(seq: seq, #""event":"action","action":{"type":"bench"}"#) else { return }
        connection.send(line)
        seq += 1
    }

    private func line(seq: Int, _ event: String) throws -> [UInt8] {
        Array(#"{"seq":\#(seq),"at":\#(seq),\#(event),"state":"#.utf8) + (try encoder.encode(state))
            + Array("}".utf8)
    }
}

private final class Sender: ConnectionHandler, Sendable {
    func opened(_ connection: Connection) {}
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {}
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
