#if Server
    import TapeFormat
    import TapeSockets

    /// Who may come in: the names that a request may be addressed to, where a page may come from, and tokens. Pure.
    struct Access: Sendable {
        enum Kind: Sendable {
            /// The page's files and health: everybody's.
            case open
            case login
            case read
            case upload
            case write
            case viewerUpgrade
            /// Its token is checked later, at the `hello`.
            case appUpgrade

            /// The narrowest role that does.
            fileprivate var role: Role? {
                switch self {
                case .open, .login, .appUpgrade: nil
                case .read, .viewerUpgrade: .view
                case .upload: .app
                case .write: .control
                }
            }
        }

        /// The hash of what a holder shows, and what it allows.
        private struct Key: Sendable {
            let hash: [UInt8]
            let role: Role

            init(_ text: String, _ role: Role) {
                hash = SHA256.hash(text)
                self.role = role
            }
        }

        private let hosts: Set<String>
        private let tokens: [Key]
        private let cookies: [Key]
        /// What an app may be given to record with, and no more; nil where none is needed.
        let appToken: String?
        /// Without tokens everybody who reaches the address may do everything.
        var isTokenNeeded: Bool { !tokens.isEmpty }

        /// - Parameters:
        ///   - hosts: The names that a `Host` may bear beside the loopback names, in any case, without port.
        ///   - tokens: None are needed if this is empty. If none is an app's, one is made of the first that gives control:
        ///     the other way round nobody finds it out.
        init(hosts: [String], tokens: [Configuration.Token]) {
            self.hosts = Set(hosts.map(Self.name) + ["localhost", "127.0.0.1", "[::1]"])
            var tokens = tokens
            if !tokens.contains(where: { $0.role == .app }), let control = tokens.first(where: { $0.role == .control })
            {
                tokens.append(.init(.app, String(SHA256.hex("statetape app " + control.value).prefix(32))))
            }
            appToken = tokens.first { $0.role == .app }?.value
            self.tokens = tokens.map { Key($0.value, $0.role) }
            cookies = tokens.map { Key(Self.cookie(of: $0.value).value, $0.role) }
        }

        /// Nil if the request may pass.
        func refusal(_ request: HTTPRequest, _ kind: Kind) -> Problem? {
            let headers = request.headers
            guard let host = headers["host"], hosts.contains(Self.name(Self.split(host).name)) else {
                return Problem(403, "host", "This server doesn't answer to that Host; see --allow-host.")
            }
            let bearer = role(bearer: headers["authorization"])
            let cookie = role(cookies: headers["cookie"])
            if isTokenNeeded, let needed = kind.role {
                guard let role = bearer ?? cookie else {
                    return Problem(401, "not-authorised", "A valid token is needed.")
                }
                guard role.includes(needed) else { return Problem(403, "role", role.refusal(needing: needed)) }
            }
            let isWrite = kind == .write || kind == .upload
            // What a page of another site could make a browser do.
            guard kind != .open, kind != .read, !isWrite || bearer == nil else { return nil }
            if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
                return Problem(403, "foreign-origin", "Requests from pages of other sites are refused.")
            }
            if let origin = headers["origin"] {
                guard Self.isSame(origin, host) else {
                    return Problem(403, "foreign-origin", "Requests from pages of other origins are refused.")
                }
            } else if cookie != nil, bearer == nil, isWrite || kind == .viewerUpgrade {
                return Problem(403, "no-origin", "A cookie counts only with an Origin; use a bearer token.")
            }
            return nil
        }

        /// What a token allows; nil for a wrong one, which all take the same time. Without tokens everybody has control.
        func role(token: String?) -> Role? {
            isTokenNeeded ? token.flatMap { Self.role($0, tokens) } : .control
        }

        /// What the token or cookie of a request allows.
        func role(of request: HTTPRequest) -> Role? {
            guard isTokenNeeded else { return .control }
            return role(bearer: request.headers["authorization"]) ?? role(cookies: request.headers["cookie"])
        }

        /// Whether a request shows a token or one of our cookies, and none of them is right.
        func isGuess(_ request: HTTPRequest) -> Bool {
            let headers = request.headers
            guard isTokenNeeded, role(of: request) == nil else { return false }
            return Self.bearer(headers["authorization"]) != nil
                || (headers["cookie"] ?? "").split(separator: ";").contains { cookie in
                    cookie.drop { $0 == " " }.hasPrefix(Self.cookiePrefix)
                }
        }

        /// Nil if an app with this token may record.
        func refusal(ofApp token: String?) -> LinkError? {
            guard let role = role(token: token) else {
                return LinkError(code: "not-authorised", message: "a valid token is needed")
            }
            return role.includes(.app) ? nil : LinkError(code: "role", message: role.refusal(needing: .app))
        }

        /// The token of an `Authorization` header.
        static func bearer(_ header: String?) -> String? {
            guard let header, header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else { return nil }
            return String(header.dropFirst(7))
        }

        private static let cookiePrefix = "statetape-"
        /// A browser sends the cookies of every server on the host; each is compared before the sender is known.
        private static let maxCookies = 32

        /// What a browser keeps in place of the token: a hash of it. The name differs from server to server, since a
        /// host's cookies are shared by all its ports.
        static func cookie(of token: String) -> (name: String, value: String) {
            let value = SHA256.hex("statetape cookie " + token)
            return (cookiePrefix + value.prefix(8), String(value.dropFirst(8)))
        }

        private func role(bearer header: String?) -> Role? {
            Self.bearer(header).flatMap { Self.role($0, tokens) }
        }

        private func role(cookies header: String?) -> Role? {
            let own = (header ?? "").split(separator: ";").lazy.map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix(Self.cookiePrefix) }
            let roles = own.prefix(Self.maxCookies).compactMap { cookie in
                let parts = cookie.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? Self.role(String(parts[1]), cookies) : nil
            }
            // A browser keeps the cookies of all tokens that it has shown.
            return [Role.control, .view, .app].first { roles.contains($0) }
        }

        /// The one place where what a holder shows is compared: whole hashes, and with every key, so that the time tells
        /// nothing.
        private static func role(_ text: String, _ keys: [Key]) -> Role? {
            let hash = SHA256.hash(text)
            let roles = keys.filter { SHA256.isEqual($0.hash, hash) }.map(\.role)
            return [Role.control, .view, .app].first { roles.contains($0) }
        }

        /// A host in one spelling.
        private static func name(_ host: String) -> String {
            let name = host.lowercased()
            return name.hasSuffix(".") ? String(name.dropLast()) : name
        }

        /// An authority's host and port; IPv6 addresses keep their brackets.
        static func split(_ authority: String) -> (name: String, port: String?) {
            guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
                return (authority, nil)
            }
            return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
        }

        private static func isSame(_ origin: String, _ host: String) -> Bool {
            for (scheme, standard) in [("http://", "80"), ("https://", "443")] where origin.hasPrefix(scheme) {
                let (from, to) = (split(String(origin.dropFirst(scheme.count))), split(host))
                return name(from.name) == name(to.name) && (from.port ?? standard) == (to.port ?? standard)
            }
            return false
        }
    }
#endif
