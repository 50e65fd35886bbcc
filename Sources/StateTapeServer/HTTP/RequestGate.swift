import TapeFormat
import TapeSockets

/// Checks each request, and passes it to the API, the page's files, or a link.
struct RequestGate: Service {
    static let appProtocol = "statetape.v1"
    static let viewerProtocol = "statetape.viewer.v1"
    /// Bytes of a body without a token or an endpoint. Small, so that such bodies can't fill the memory.
    private static let maxSmallBody = 16 << 10

    let access: Access
    let limits: Configuration.Limits
    let refusals: RefusedConnections
    let wrongTokens: WrongTokens
    let routes: Routes
    let page: StaticFiles
    let core: ServerCore
    let work: RequestWork
    let pending: PendingAnswers

    /// The headers of the page's files.
    static let pageHeaders: [(String, String)] = [
        (
            "content-security-policy",
            """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
            base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ]

    func admit(_ request: HTTPRequest) -> HTTPResponse? {
        guard var problem = access.refusal(request, kind(of: request)) else { return nil }
        if problem.status == 401, access.isGuess(request) { problem.delay = wrongTokens.add(peer: request.peer) }
        return refused(request, problem)
    }

    func intake(_ request: HTTPRequest) -> BodyIntake? { routes.intake(request) }

    func maxBody(_ request: HTTPRequest) -> Int {
        switch kind(of: request) {
        case .write, .upload: .max
        case .open, .login, .read, .viewerUpgrade, .appUpgrade: Self.maxSmallBody
        }
    }

    func handle(_ exchange: HTTPExchange) {
        let delivery = Delivery(exchange.request)
        serve(
            exchange.passing { [loop = core.loop, work, pending] answer in
                let client = work.access.client(exchange.request)
                @Sendable func respond() { exchange.respond(pending.keep(delivery.finish(answer), for: client)) }
                if loop.isCurrent, delivery.isWork(answer) {
                    work.run(exchange.request, respond)
                } else {
                    respond()
                }
            })
    }

    func work(for request: HTTPRequest, _ body: @escaping @Sendable () -> Void) { work.run(request, body) }

    private func serve(_ exchange: HTTPExchange) {
        if routes.handle(exchange) || page.handle(exchange) { return }
        exchange.respond(Problem(404, "not-found", "Nothing exists at this URL.").response)
    }

    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
        switch request.path {
        case "/v1/app" where offered.contains(Self.appProtocol):
            // The app keeps its events and reconnects later.
            guard core.committer.failure == nil else {
                return .refuse(Problem(503, "archive", "The archive can't be written at the moment.").response)
            }
            let bearer = Access.bearer(request.headers["authorization"])
            let app = core.assumeIsolated { core in
                core.app(at: request.peer) { [access] in access.refusal(ofApp: $0 ?? bearer) }
            }
            guard let app else { return full(request, "\(limits.apps) apps (--max-apps)") }
            return .accept(subprotocol: Self.appProtocol, app.value)
        case "/v1/viewer" where offered.contains(Self.viewerProtocol):
            let client = work.access.client(request)
            guard let viewer = core.assumeIsolated({ $0.viewer(of: client, limit: limits.viewers) }) else {
                return full(request, "\(limits.viewers) pages (--max-viewers), or of its share for one address,")
            }
            return .accept(subprotocol: Self.viewerProtocol, viewer.value)
        case "/v1/app", "/v1/viewer":
            return .refuse(refused(request, Problem(400, "subprotocol", "This subprotocol is not supported.")))
        default: return .refuse(Problem(404, "not-found", "Nothing exists at this URL.").response)
        }
    }

    func worded(_ response: HTTPResponse) -> HTTPResponse { Problem.worded(response) }

    private func full(_ request: HTTPRequest, _ limit: String) -> Upgrade {
        .refuse(refused(request, Problem(503, "full", "The limit of \(limit) is reached; try again later.")))
    }

    private func refused(_ request: HTTPRequest, _ problem: Problem) -> HTTPResponse {
        refusals.add(peer: request.peer, path: request.path, code: problem.code, detail: problem.detail)
        return problem.response
    }

    private func kind(of request: HTTPRequest) -> Access.Kind {
        switch request.path {
        case "/v1/app": .appUpgrade
        case "/v1/viewer": .viewerUpgrade
        case "/api/v1/login": .login
        case "/api/v1/sessions" where request.method == "POST": .upload
        case let path where path.hasPrefix("/api/"):
            // A method that the path doesn't have changes nothing, and its answer says which ones there are.
            ["GET", "HEAD", "OPTIONS"].contains(request.method) || !routes.supports(request.method, path)
                ? .read : .write
        case "/metrics": .read
        default: .open
        }
    }
}
