import TapeFormat

/// A request with its whole body, and the way to answer it: once, from any thread, at any time.
///
/// An exchange that is released without an answer sends a 500.
package final class HTTPExchange: Sendable {
    package let request: HTTPRequest
    package let body: [UInt8]
    private let answer: Locked<(@Sendable (HTTPAnswer) -> Void)?>
    private let disconnected: Locked<Bool>

    /// Whether the peer has disconnected, so that long work can stop. Detected within half a second, while an
    /// answer or a piece of one is pending. A peer that closed only its sending side counts as disconnected too.
    package var isPeerGone: Bool { disconnected.withLock { $0 } }

    /// An exchange without a connection.
    package convenience init(request: HTTPRequest, body: [UInt8], answer: @escaping @Sendable (HTTPAnswer) -> Void) {
        self.init(request: request, body: body, disconnected: Locked(false), answer: answer)
    }

    /// - Parameter disconnected: Becomes true when the peer disconnects.
    init(
        request: HTTPRequest, body: [UInt8], disconnected: Locked<Bool>,
        answer: @escaping @Sendable (HTTPAnswer) -> Void
    ) {
        self.request = request
        self.body = body
        self.disconnected = disconnected
        self.answer = Locked(answer)
    }

    deinit {
        respond(HTTPResponse(status: 500, "The server failed to answer."))
    }

    /// Sends `response`. Only the first answer is sent.
    package func respond(_ response: HTTPResponse) {
        respond(.whole(response))
    }

    /// Sends an answer whose body is produced piece by piece, off the loop's thread, as the socket drains.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: Include `content-length` if the length is known; else the body is sent chunked.
    ///   - next: Returns the next piece; nil ends the body. If it throws, the connection is cut, so that the peer
    ///     doesn't take the body for complete. Never called concurrently, nor after the peer disconnected.
    package func stream(status: Int, headers: [(String, String)], next: @escaping @Sendable () throws -> [UInt8]?) {
        respond(.stream(HTTPResponseHead(status: status, headers: headers), next))
    }

    /// Sends a whole or a streamed answer.
    package func respond(_ answer: HTTPAnswer) {
        take()?(answer)
    }

    /// The same request, but with its answer passed to `pass`, on the thread that answers.
    package func passing(_ pass: @escaping @Sendable (HTTPAnswer) -> Void) -> HTTPExchange {
        HTTPExchange(request: request, body: body, disconnected: disconnected, answer: pass)
    }

    private func take() -> (@Sendable (HTTPAnswer) -> Void)? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }
}

/// An answer: complete, or a head with a function that produces the body.
package enum HTTPAnswer: Sendable {
    case whole(HTTPResponse)
    case stream(HTTPResponseHead, @Sendable () throws -> [UInt8]?)
}
