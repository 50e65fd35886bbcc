#if Server
    import TapeFormat
    import TapeSockets

    /// The door: checks who comes, and sends each to the API, the page's files, or a link.
    struct Front: Service {
        static let appProtocol = "statetape.v1"
        static let viewerProtocol = "statetape.viewer.v1"
        private static let maxApps = 4_096
        private static let maxViewers = 256

        let access: Access
        let routes: Routes
        let page: StaticFiles?
        let apps: Apps
        let fanOut: FanOut
        let canWrite: @Sendable () -> Bool
        let appLink: @Sendable (_ request: HTTPRequest) -> AppLink
        let viewer: @Sendable () -> Viewer

        /// What every file of the page carries.
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
            access.refusal(request, kind(of: request))?.response
        }

        func handle(_ exchange: HTTPExchange) {
            if routes.handle(exchange) || page?.handle(exchange) == true { return }
            exchange.respond(Problem(404, "not-found", "There is nothing at this address.").response)
        }

        func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
            switch request.path {
            case "/v1/app" where offered.contains(Self.appProtocol):
                // Its app keeps what it has, and comes back.
                guard canWrite() else {
                    return .refuse(Problem(503, "archive", "The archive can't be written now.").response)
                }
                guard apps.count < Self.maxApps else { return Self.full }
                return .accept(subprotocol: Self.appProtocol, appLink(request))
            case "/v1/viewer" where offered.contains(Self.viewerProtocol):
                guard fanOut.count < Self.maxViewers else { return Self.full }
                return .accept(subprotocol: Self.viewerProtocol, viewer())
            case "/v1/app", "/v1/viewer":
                return .refuse(Problem(400, "subprotocol", "That subprotocol is not spoken here.").response)
            default: return .refuse(Problem(404, "not-found", "There is nothing at this address.").response)
            }
        }

        private static var full: Upgrade {
            .refuse(Problem(503, "full", "This server has as many connections as it takes.").response)
        }

        private func kind(of request: HTTPRequest) -> Access.Kind {
            switch request.path {
            case "/v1/app": .appUpgrade
            case "/v1/viewer": .viewerUpgrade
            case "/api/v1/login": .login
            case let path where path.hasPrefix("/api/"):
                ["GET", "HEAD", "OPTIONS"].contains(request.method) ? .read : .write
            default: .open
            }
        }
    }
#endif
