import TapeArchive
import TapeSockets

extension PassedRequest {
    /// Marks a request that was passed already, so that it isn't passed on.
    private static let mark = "statetape-passed"

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

extension PassedAnswer {
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
