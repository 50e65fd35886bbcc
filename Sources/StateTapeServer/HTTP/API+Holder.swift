#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        /// Adds a route below a session's path that needs the session's app. If the app is connected to another server,
        /// that one answers.
        func app(
            _ routes: inout Routes, _ method: String, _ path: String,
            _ body: @escaping @Sendable (Session, HTTPExchange) throws -> HTTPResponse?
        ) {
            session(&routes, method, path) { session, exchange, _ in
                guard apps.link(of: session.id) == nil, !PassedRequest.isPassed(exchange.request),
                    let holder = try broker.holder(of: session)
                else { return try body(session, exchange) }
                broker.pass(PassedRequest(exchange), to: holder) { answer in
                    let none = Problem(504, "no-answer", "The server that the app is connected to did not answer in time.")
                    exchange.respond(answer?.response ?? none.response)
                }
                return nil
            }
        }
    }
#endif
