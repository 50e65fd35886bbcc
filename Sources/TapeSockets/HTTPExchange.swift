/// One request with its whole body, and the way to answer it: once, from any thread, at any time.
package final class HTTPExchange: Sendable {
    package let request: HTTPRequest
    package let body: [UInt8]

    init(request: HTTPRequest, body: [UInt8]) {
        self.request = request
        self.body = body
    }

    /// Sends `response`. The first answer counts, a second one is ignored.
    package func respond(_ response: HTTPResponse) {}

    /// Sends an answer whose body is pulled piece by piece, off the loop's thread, as the socket drains.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: Give `content-length` if the length is known; else the body goes out chunked.
    ///   - next: The next piece; nil ends the body. If it throws, the connection is cut, so that the peer sees a
    ///     body that broke off, not a short one. Never called twice at once, nor after the peer has gone.
    package func stream(
        status: Int, headers: [(String, String)], next: @escaping @Sendable () throws -> [UInt8]?
    ) {}
}
