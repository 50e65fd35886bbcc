#if Server
    /// One request with its whole body, and the way to answer it: once, from any thread, at any time.
    ///
    /// One that is let go without an answer is answered with 500.
    package final class HTTPExchange: Sendable {
        package let request: HTTPRequest
        package let body: [UInt8]
        private let answer: Locked<(@Sendable (HTTPAnswer) -> Void)?>
        private let gone: Locked<Bool>

        /// Whether the peer no longer waits for the answer: what takes long may be ended. Told within half a second, while an
        /// answer or a piece of one is waited for; a peer that has closed its side of the connection counts as gone.
        package var isPeerGone: Bool { gone.withLock { $0 } }

        /// - Parameter gone: Becomes true when the peer has gone.
        init(
            request: HTTPRequest, body: [UInt8], gone: Locked<Bool> = Locked(false),
            answer: @escaping @Sendable (HTTPAnswer) -> Void
        ) {
            self.request = request
            self.body = body
            self.gone = gone
            self.answer = Locked(answer)
        }

        deinit {
            respond(HTTPResponse(status: 500, "The server gave no answer."))
        }

        /// Sends `response`. The first answer counts, a second one is ignored.
        package func respond(_ response: HTTPResponse) {
            respond(.whole(response))
        }

        /// Sends an answer whose body is pulled piece by piece, off the loop's thread, as the socket drains.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - headers: Give `content-length` if the length is known; else the body goes out chunked.
        ///   - next: The next piece; nil ends the body. If it throws, the connection is cut, so that the peer sees a
        ///     body that broke off, not a short one. Never called twice at once, nor again after the peer has gone.
        package func stream(
            status: Int, headers: [(String, String)], next: @escaping @Sendable () throws -> [UInt8]?
        ) {
            respond(.stream(HTTPResponseHead(status: status, headers: headers), next))
        }

        /// Sends either kind of answer.
        package func respond(_ answer: HTTPAnswer) {
            take()?(answer)
        }

        /// The same request, whose answer `pass` gets instead, on the thread that gives it.
        package func passing(_ pass: @escaping @Sendable (HTTPAnswer) -> Void) -> HTTPExchange {
            HTTPExchange(request: request, body: body, gone: gone, answer: pass)
        }

        private func take() -> (@Sendable (HTTPAnswer) -> Void)? {
            answer.withLock { answer in
                defer { answer = nil }
                return answer
            }
        }
    }

    /// An answer as a whole, or its head and what makes its body.
    package enum HTTPAnswer: Sendable {
        case whole(HTTPResponse)
        case stream(HTTPResponseHead, @Sendable () throws -> [UInt8]?)
    }
#endif
