#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        func addAccess(_ routes: inout Routes) {
            routes.on("GET", "/healthz") { exchange, _ in answer(exchange, health) }
            routes.on("POST", "/api/v1/login") { exchange, _ in answer(exchange) { try login(exchange) } }
        }

        @Sendable func health() -> HTTPResponse? {
            committer.failure.map { Problem.unwritable($0).response } ?? Answer.json(["status": "ok"])
        }

        /// Takes `{"token":…}` and sets the cookie that stands for it.
        func login(_ exchange: HTTPExchange) throws -> HTTPResponse {
            guard access.isTokenNeeded else { return Answer.empty() }
            guard let token = try json(exchange.body)["token"]?.string, access.isValid(token: token) else {
                throw Problem(401, "not-authorised", "That token is not valid.")
            }
            let (name, value) = Access.cookie(of: token)
            let secure = isSecure ? "; Secure" : ""
            let cookie = "\(name)=\(value); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict\(secure)"
            return Answer.empty(headers: [("set-cookie", cookie)])
        }
    }
#endif
