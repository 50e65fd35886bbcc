import Dispatch

/// Answers the requests of a ``Listener``. All functions are called on the loop's thread and must not block it.
package protocol Service: Sendable {
    /// Called first, for every request and upgrade. A response refuses it.
    func admit(_ request: HTTPRequest) -> HTTPResponse?
    /// How to process the body of an admitted request; nil collects it, up to the listener's limit.
    func intake(_ request: HTTPRequest) -> BodyIntake?
    /// The most bytes of a collected body; the listener's limit applies too.
    func maxBody(_ request: HTTPRequest) -> Int
    /// Handles a request with its whole body. Answer from any thread, at any time.
    func handle(_ exchange: HTTPExchange)
    /// Runs a part of a request's work off the loop's thread, such as making the next piece of its answer.
    func work(for request: HTTPRequest, _ body: @escaping @Sendable () -> Void)
    /// Handles a valid and admitted WebSocket upgrade. `offered` are the client's subprotocols.
    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade
    /// Rewords a response before it is sent; this module's own responses are a line of plain text.
    func worded(_ response: HTTPResponse) -> HTTPResponse
}

extension Service {
    package func intake(_ request: HTTPRequest) -> BodyIntake? { nil }
    package func maxBody(_ request: HTTPRequest) -> Int { .max }
    package func work(for request: HTTPRequest, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: body)
    }
    package func worded(_ response: HTTPResponse) -> HTTPResponse { response }
}

/// The answer to a WebSocket upgrade.
package enum Upgrade {
    /// `subprotocol` must be offered by the client and supported by the listener.
    case accept(subprotocol: String, any ConnectionHandler)
    case refuse(HTTPResponse)
}
