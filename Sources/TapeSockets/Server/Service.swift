#if Server
    /// What a ``Listener`` serves. Everything here is called on the loop's thread and must not block it.
    package protocol Service: Sendable {
        /// Called first, for every request and every upgrade. An answer refuses it.
        func admit(_ request: HTTPRequest) -> HTTPResponse?
        /// How the body of an admitted request is taken; nil gathers it whole, up to the listener's limit.
        func intake(_ request: HTTPRequest) -> BodyIntake?
        /// Bytes that the body of an admitted request may have, if it is gathered; the listener's limit holds too.
        func maxBody(_ request: HTTPRequest) -> Int
        /// A whole request with its body: answer from any thread, at any time.
        func handle(_ exchange: HTTPExchange)
        /// A WebSocket upgrade that is well-formed and admitted. `offered` are the subprotocols as the client sent them.
        func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade
        /// How the service words an answer before it goes out; those of this module are a line of plain text.
        func worded(_ response: HTTPResponse) -> HTTPResponse
    }

    extension Service {
        package func intake(_ request: HTTPRequest) -> BodyIntake? { nil }
        package func maxBody(_ request: HTTPRequest) -> Int { .max }
        package func worded(_ response: HTTPResponse) -> HTTPResponse { response }
    }

    /// The answer to a WebSocket upgrade.
    package enum Upgrade: Sendable {
        /// `subprotocol` is one of those offered and of the listener's.
        case accept(subprotocol: String, any ConnectionHandler)
        case refuse(HTTPResponse)
    }
#endif
