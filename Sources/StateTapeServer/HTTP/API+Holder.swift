import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    /// The routes that other servers may pass requests to.
    func passedRoutes() -> Routes {
        var routes = Routes()
        addApp(&routes)
        return routes
    }

    /// The routes that need a session's app.
    func addApp(_ routes: inout Routes) {
        app(&routes, "POST", "/push") { session, exchange in try push(session, exchange) }
        addReplay(&routes)
        addTravel(&routes)
        app(&routes, "POST", "/control") { session, exchange in try control(session, exchange) }
    }

    /// Adds a route below a session's path that needs the session's app. If the app is connected to another server,
    /// that one answers.
    func app(
        _ routes: inout Routes, _ method: String, _ path: String,
        _ body: @escaping @Sendable (Session, HTTPExchange) throws -> HTTPResponse?
    ) {
        session(&routes, method, path) { session, exchange, _ in
            guard apps.port(of: session.id) == nil, !PassedRequest.isPassed(exchange.request),
                let holder = try broker.holder(of: session)
            else { return try body(session, exchange) }
            broker.pass(PassedRequest(exchange), to: holder) { answer in
                let none = Problem(
                    504, "no-answer", "The server that the app is connected to did not answer in time.")
                exchange.respond(answer?.response ?? none.response)
            }
            return nil
        }
    }

    /// The way to the session's app. Only a reading; what is done with it is done by ``act(_:_:_:)``.
    func port(of session: Session) throws(Problem) -> AppPort {
        guard let port = apps.port(of: session.id) else { throw Self.notConnected }
        return port
    }

    /// Does something with the session's app on the loop's thread, and answers. If the body returns nil, it answers the
    /// exchange itself.
    func act(
        _ session: Session, _ exchange: HTTPExchange,
        _ body: @escaping @Sendable (isolated ServerCore, AppLink) -> HTTPResponse?
    ) {
        core.post { core in
            guard let link = core.apps.link(of: session.id) else {
                return exchange.respond(Self.notConnected.response)
            }
            if let response = body(core, link) { exchange.respond(response) }
        }
    }
}
