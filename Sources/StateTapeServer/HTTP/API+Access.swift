import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    private static let maxToken = 1_000

    func addAccess(_ routes: inout Routes) {
        // Runs on the loop's thread, so that an answer proves that the loop runs, however busy the workers are.
        routes.on("GET", "/healthz") { exchange, _ in exchange.respond(health()) }
        routes.on("GET", "/openapi.json") { exchange, _ in
            answer(exchange) { Answer.body(PackageResources.openapi_json, type: "application/json") }
        }
        routes.on("GET", "/metrics") { exchange, _ in
            answer(exchange) {
                Answer.body(
                    Array(try metrics.text().utf8), type: "text/plain; version=0.0.4; charset=utf-8", lasts: false)
            }
        }
        routes.on("GET", "/api/v1/login") { exchange, _ in answer(exchange) { try role(exchange.request) } }
        routes.on("POST", "/api/v1/login") { exchange, _ in answer(exchange) { try login(exchange) } }
        routes.on("GET", "/api/v1/refusals") { exchange, _ in
            answer(exchange) {
                try Query.refuse(exchange.request)
                return Answer.json(["refusals": refusals.json])
            }
        }
        routes.on("GET", "/api/v1/connect") { exchange, _ in
            answer(exchange) { try connect(exchange.request) }
        }
    }

    /// Longer commits are no longer healthy: all apps wait for them.
    private static let maxCommit = Duration.seconds(2)

    func health() -> HTTPResponse {
        if let reason = core.committer.failure ?? archive.misplacement { return Problem.unwritable(reason).response }
        let delay = core.committer.delay
        guard delay < Self.maxCommit else {
            return Problem.unwritable("a commit has been waiting for \(delay.components.seconds) s").response
        }
        return Answer.json(["status": "ok"])
    }

    func role(_ request: HTTPRequest) throws -> HTTPResponse {
        try Query.refuse(request)
        guard let role = access.role(of: request) else {
            var problem = Problem(401, "not-authorised", "This needs a valid token.")
            if access.isGuess(request) { problem.delay = wrongTokens.add(peer: request.peer) }
            throw problem
        }
        return Answer.json(["role": .string(role.rawValue), "hasTokens": .bool(access.isTokenNeeded)])
    }

    /// Takes `{"token":…}` and sets the login cookie.
    func login(_ exchange: HTTPExchange) throws -> HTTPResponse {
        try Query.refuse(exchange.request)
        guard let token = try RequestBody(exchange.body, "token").string("token", max: Self.maxToken) else {
            throw RequestBody.bad("The body needs “token”.")
        }
        guard access.isTokenNeeded else { return Answer.empty() }
        guard access.role(token: token) != nil else {
            var problem = Problem(401, "not-authorised", "The token is not valid.")
            let request = exchange.request
            problem.delay = wrongTokens.add(peer: request.peer)
            refusals.add(peer: request.peer, path: request.path, code: problem.code, detail: problem.detail)
            throw problem
        }
        let (name, value) = Access.cookie(of: token)
        let secure = usesTLS(exchange.request) ? "; Secure" : ""
        let cookie = "\(name)=\(value); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict\(secure)"
        return Answer.empty(headers: [("set-cookie", cookie)])
    }

    /// Whether the client uses TLS, with this server or with a proxy in front of it. A client that lies only misleads
    /// itself.
    private func usesTLS(_ request: HTTPRequest) -> Bool {
        isSecure || request.headers["x-forwarded-proto"] == "https"
    }

    /// The URLs at which apps reach this server. With control, they include the app's token, and the answer has the
    /// token for view-only links.
    func connect(_ request: HTTPRequest) throws -> HTTPResponse {
        let query = try Query(request, "format", "address", "scheme")
        let isImage = try query.choice("format", "json", "svg") == "svg"
        let hasControl = access.role(of: request) == .control
        let token = hasControl ? access.appToken : nil
        let addresses = connect.addresses(
            reachedAt: request.headers["host"] ?? "", isSecure: usesTLS(request), token: token)
        if let scheme = query["scheme"], !ServerAddresses.isScheme(scheme) {
            throw Problem(400, "bad-query", "“scheme” must be a URL scheme, such as “myapp”.")
        }
        let chosen = query["address"].map { host in addresses.first { $0.host == host } } ?? addresses.first
        if query["address"] != nil, chosen == nil {
            throw Problem(404, "address-absent", "This server doesn't listen on “\(query["address"] ?? "")”.")
        }
        let code = try chosen.map { address in
            try QRCode(query["scheme"].map { address.appLink(scheme: $0) } ?? address.link).svg
        }
        if isImage {
            guard let code else { throw Problem(404, "address-absent", "This server has no known address.") }
            return Answer.body(Array(code.utf8), type: "image/svg+xml", lasts: false)
        }
        var answer = JSON.Object([("addresses", .array(addresses.map(\.json)))])
        answer["qr"] = code.map(JSON.string)
        answer["viewToken"] = hasControl ? access.viewToken.map(JSON.string) : nil
        return Answer.body(JSON.object(answer).bytes, type: "application/json", lasts: false)
    }
}
