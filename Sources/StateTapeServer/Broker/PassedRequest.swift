import TapeSockets

/// A request of the API that another server answers. Whoever passes it has checked that the client may make it.
struct PassedRequest: Sendable, Equatable {
    let method: String
    let path: String
    let body: [UInt8]

    /// Marks a request that was passed already, so that it isn't passed on.
    private static let mark = "statetape-passed"

    init(method: String, path: String, body: [UInt8]) {
        self.method = method
        self.path = path
        self.body = body
    }

    init(_ exchange: HTTPExchange) {
        self.init(method: exchange.request.method, path: exchange.request.path, body: exchange.body)
    }

    /// Whether a server has passed the request. A client that claims it gets the answer of the server that it asked.
    static func isPassed(_ request: HTTPRequest) -> Bool { request.headers[mark] != nil }

    /// The request with a way to answer it.
    func exchange(answer: @escaping @Sendable (PassedAnswer) -> Void) -> HTTPExchange {
        HTTPExchange(request: HTTPRequest(method: method, path: path, headers: [Self.mark: "1"]), body: body) { given in
            switch given {
            case .whole(let response): answer(PassedAnswer(response))
            // No request that is passed has such an answer.
            case .stream(let head, _): answer(PassedAnswer(status: head.status, type: nil, body: []))
            }
        }
    }
}

/// The answer to a passed request.
struct PassedAnswer: Sendable, Equatable {
    let status: Int
    /// The content type; nil without a body.
    let type: String?
    let body: [UInt8]

    init(status: Int, type: String?, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    init(_ response: HTTPResponse) {
        self.init(
            status: response.status, type: response.headers.first { $0.0 == "content-type" }?.1, body: response.body
        )
    }

    var response: HTTPResponse {
        HTTPResponse(
            status: status, headers: (type.map { [("content-type", $0)] } ?? []) + Answer.headers, body: body)
    }
}
