import TapeFormat
import TapeSockets

/// Relays each message of an app to all viewers unchanged, to measure the sockets' share of the fan-out.
final class BareRelay: Service, ConnectionHandler {
    private let viewer = Watcher()

    private final class Watcher: ConnectionHandler, Sendable {
        let all = Locked<[Connection]>([])
        func opened(_ connection: Connection) { all.withLock { $0.append(connection) } }
        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {}
        func drained(_ connection: Connection) {}
        func closed(_ connection: Connection, code: UInt16?, reason: String) {
            all.withLock { all in all.removeAll { $0 === connection } }
        }
    }

    func admit(_ request: HTTPRequest) -> HTTPResponse? { nil }
    func handle(_ exchange: HTTPExchange) { exchange.respond(HTTPResponse(status: 404)) }

    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
        request.path == "/v1/app"
            ? .accept(subprotocol: "statetape.v1", self) : .accept(subprotocol: "statetape.viewer.v1", viewer)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        // A slow viewer gets no more than the server would buffer.
        for viewer in viewer.all.withLock({ $0 }) where viewer.outstanding < 4 << 20 {
            viewer.send(message, isText: true)
        }
        // Like the server's acknowledgement, so that the app continues.
        connection.send([0])
    }

    func opened(_ connection: Connection) {}
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
