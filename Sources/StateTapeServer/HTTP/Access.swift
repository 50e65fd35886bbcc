#if Server
    import TapeSockets

    /// Who may come in: the names that a request may be addressed to, where a page may come from, and tokens. Pure.
    struct Access: Sendable {
        enum Kind: Sendable {
            /// The page's files and health: everybody's.
            case open
            case login
            case read
            case write
            case viewerUpgrade
            /// Its token is checked later, at the `hello`.
            case appUpgrade
        }

        private let hosts: Set<String>
        private let tokens: [[UInt8]]
        private let cookies: [[UInt8]]
        /// Without tokens everybody who reaches the address may do everything.
        var isTokenNeeded: Bool { !tokens.isEmpty }

        /// - Parameters:
        ///   - hosts: The names that a `Host` may bear beside the loopback names, in any case, without port.
        ///   - tokens: Those that give full control; none are needed if this is empty.
        init(hosts: [String], tokens: [String]) {
            self.hosts = Set(hosts.map(Self.name) + ["localhost", "127.0.0.1", "[::1]"])
            self.tokens = tokens.map(SHA256.hash)
            cookies = tokens.map { SHA256.hash(Self.cookie(of: $0).value) }
        }

        /// Nil if the request may pass.
        func refusal(_ request: HTTPRequest, _ kind: Kind) -> Problem? {
            let headers = request.headers
            guard let host = headers["host"], hosts.contains(Self.name(Self.split(host).name)) else {
                return Problem(403, "host", "This server doesn't answer to that Host; see --allow-host.")
            }
            let hasBearer = isValid(bearer: headers["authorization"])
            let hasCookie = isValid(cookies: headers["cookie"])
            switch kind {
            case .open, .login, .appUpgrade: break
            case .read, .write, .viewerUpgrade:
                if isTokenNeeded, !hasBearer, !hasCookie {
                    return Problem(401, "not-authorised", "A valid token is needed.")
                }
            }
            // What a page of another site could make a browser do.
            guard kind != .open, kind != .read, kind != .write || !hasBearer else { return nil }
            if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
                return Problem(403, "foreign-origin", "Requests from pages of other sites are refused.")
            }
            if let origin = headers["origin"] {
                guard Self.isSame(origin, host) else {
                    return Problem(403, "foreign-origin", "Requests from pages of other origins are refused.")
                }
            } else if hasCookie, !hasBearer, kind == .write || kind == .viewerUpgrade {
                return Problem(403, "no-origin", "A cookie counts only with an Origin; use a bearer token.")
            }
            return nil
        }

        /// Whether a token gives full control. Takes the same time for every wrong one.
        func isValid(token: String?) -> Bool {
            guard isTokenNeeded else { return true }
            return token.map { Self.isKnown($0, tokens) } ?? false
        }

        /// The token of an `Authorization` header.
        static func bearer(_ header: String?) -> String? {
            guard let header, header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else { return nil }
            return String(header.dropFirst(7))
        }

        /// What a browser keeps in place of the token: a hash of it. The name differs from server to server, since a
        /// host's cookies are shared by all its ports.
        static func cookie(of token: String) -> (name: String, value: String) {
            let value = SHA256.hash("statetape cookie " + token)
                .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return ("statetape-" + value.prefix(8), String(value.dropFirst(8)))
        }

        private func isValid(bearer header: String?) -> Bool {
            Self.bearer(header).map { isTokenNeeded && isValid(token: $0) } ?? false
        }

        private func isValid(cookies header: String?) -> Bool {
            guard let header else { return false }
            return header.split(separator: ";").contains { cookie in
                let parts = cookie.split(separator: "=", maxSplits: 1)
                return parts.count == 2 && Self.isKnown(String(parts[1]), cookies)
            }
        }

        /// Compares hashes, and all of them to the end, so that the time tells nothing.
        private static func isKnown(_ text: String, _ hashes: [[UInt8]]) -> Bool {
            let hash = SHA256.hash(text)
            return hashes.reduce(false) { found, known in
                zip(known, hash).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0 || found
            }
        }

        /// A host in one spelling.
        private static func name(_ host: String) -> String {
            let name = host.lowercased()
            return name.hasSuffix(".") ? String(name.dropLast()) : name
        }

        /// An authority's host and port; IPv6 addresses keep their brackets.
        private static func split(_ authority: String) -> (name: String, port: String?) {
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
