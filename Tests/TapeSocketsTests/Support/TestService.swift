import TapeSockets

/// A service made of closures.
struct TestService: Service {
    var admits: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    var handles: @Sendable (HTTPExchange) -> Void = { $0.respond(HTTPResponse(status: 404)) }
    var intakes: @Sendable (HTTPRequest) -> BodyIntake? = { _ in nil }
    var upgrades: @Sendable (HTTPRequest, [String]) -> Upgrade = { _, _ in .refuse(HTTPResponse(status: 404)) }

    func admit(_ request: HTTPRequest) -> HTTPResponse? { admits(request) }
    func intake(_ request: HTTPRequest) -> BodyIntake? { intakes(request) }
    func handle(_ exchange: HTTPExchange) { handles(exchange) }
    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade { upgrades(request, offered) }

    /// `handler` handles every connection.
    static func accepting(_ handler: any ConnectionHandler & Sendable) -> TestService {
        TestService(upgrades: { _, offered in .accept(subprotocol: offered.first ?? "", handler) })
    }

    /// Echoes each message.
    static func echo() -> TestService {
        TestService(upgrades: { _, offered in .accept(subprotocol: offered.first ?? "", Echo()) })
    }
}

final class Echo: ConnectionHandler, Sendable {
    func opened(_ connection: Connection) {}
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        connection.send(message, isText: isText)
    }
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
