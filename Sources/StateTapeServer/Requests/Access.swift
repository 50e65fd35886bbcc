import TapeArchive
import TapeFormat
import TapeSockets

/// Access rules: the host names of requests, the origins of pages, and tokens. Pure.
struct Access: Sendable {
    enum Kind: Sendable {
        /// The page's files and the health check: open to everyone.
        case open
        case login
        case read
        case upload
        case write
        case viewerUpgrade
        /// The token is checked later, in the `hello`.
        case appUpgrade

        /// The least role that is sufficient.
        fileprivate var role: Role? {
            switch self {
            case .open, .login, .appUpgrade: nil
            case .read, .viewerUpgrade: .view
            case .upload: .app
            case .write: .control
            }
        }
    }

    /// The hash of a token or cookie, and the role that it gives.
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
    private let cookieNames: Set<Substring>
    /// A token that only allows recording, to give to apps; nil if none is needed.
    let appToken: String?
    /// A token that only allows viewing, for links to give away; nil if none is needed.
    let viewToken: String?
    /// Without tokens, everyone who can reach the address may do everything.
    var isTokenNeeded: Bool { !tokens.isEmpty }

    /// - Parameters:
    ///   - hosts: The host names that are allowed besides the loopback names, in any case, without port.
    ///   - tokens: If empty, no token is needed. If no token is an app's, one is derived from the first that gives
    ///     control; the derivation can't be reversed.
    init(hosts: [String], tokens: [Configuration.Token]) {
        self.hosts = Set(hosts.map(Self.name) + ["localhost", "127.0.0.1", "[::1]"])
        var tokens = tokens
        if !tokens.contains(where: { $0.role == .app }), let control = tokens.first(where: { $0.role == .control }) {
            tokens.append(.init(.app, String(SHA256.hex("statetape app " + control.value).prefix(32))))
        }
        appToken = tokens.first { $0.role == .app }?.value
        viewToken = tokens.first { $0.role == .view }?.value
        self.tokens = tokens.map { Key($0.value, $0.role) }
        cookies = tokens.map { Key(Self.cookie(of: $0.value).value, $0.role) }
        cookieNames = Set(tokens.map { Self.cookie(of: $0.value).name[...] })
    }

    /// Nil if the request is allowed.
    func refusal(_ request: HTTPRequest, _ kind: Kind) -> Problem? {
        let headers = request.headers
        guard let host = headers["host"], Self.isPort(Self.split(host).port),
            hosts.contains(Self.name(Self.split(host).name))
        else {
            return Problem(403, "host", "This Host name is not allowed; allow it with --allow-host.")
        }
        let bearer = role(bearer: headers["authorization"])
        let cookie = role(cookies: headers["cookie"])
        if isTokenNeeded, let needed = kind.role {
            guard let role = bearer ?? cookie else {
                return Problem(401, "not-authorised", "This needs a valid token.")
            }
            guard role.includes(needed) else { return Problem(403, "role", role.refusal(needing: needed)) }
        }
        let isWrite = kind == .write || kind == .upload
        // Requests that a page of another site could make a browser send.
        guard kind != .open, kind != .read, !isWrite || bearer == nil else { return nil }
        if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
            return Problem(403, "foreign-origin", "Requests from other sites' pages are not allowed.")
        }
        if let origin = headers["origin"] {
            guard Self.isSame(origin, host) else {
                return Problem(403, "foreign-origin", "Requests from other origins' pages are not allowed.")
            }
        } else if cookie != nil, bearer == nil, isWrite || kind == .viewerUpgrade {
            return Problem(403, "no-origin", "A cookie needs an Origin header; use a bearer token.")
        }
        return nil
    }

    /// The role of a token; nil for a wrong one. The check takes constant time. Without tokens everyone has control.
    func role(token: String?) -> Role? {
        isTokenNeeded ? token.flatMap { Self.role($0, tokens) } : .control
    }

    /// The role of a request's token or cookie.
    func role(of request: HTTPRequest) -> Role? {
        guard isTokenNeeded else { return .control }
        return role(bearer: request.headers["authorization"]) ?? role(cookies: request.headers["cookie"])
    }

    /// Whether a request has a token or one of our cookies, but no valid one.
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
            return LinkError(code: "not-authorised", message: "recording needs a valid token")
        }
        return role.includes(.app) ? nil : LinkError(code: "role", message: role.refusal(needing: .app))
    }

    /// The token in an `Authorization` header.
    static func bearer(_ header: String?) -> String? {
        guard let header, header.utf8.count > 7, header.prefix(7).lowercased() == "bearer " else { return nil }
        return String(header.dropFirst(7))
    }

    private static let cookiePrefix = "statetape-"

    /// The cookie that replaces the token: its value is a hash of the token. The name differs between servers,
    /// since all ports of a host share their cookies.
    static func cookie(of token: String) -> (name: String, value: String) {
        let value = SHA256.hex("statetape cookie " + token)
        return (cookiePrefix + value.prefix(8), String(value.dropFirst(8)))
    }

    private func role(bearer header: String?) -> Role? {
        Self.bearer(header).flatMap { Self.role($0, tokens) }
    }

    /// A browser sends the cookies of all servers on a host: only those with the names of this one's are compared, each
    /// name once.
    private func role(cookies header: String?) -> Role? {
        var values: [Substring: Substring] = [:]
        for cookie in (header ?? "").split(separator: ";").lazy.map({ $0.drop { $0 == " " } }) {
            let parts = cookie.split(separator: "=", maxSplits: 1)
            if parts.count == 2, cookieNames.contains(parts[0]) { values[parts[0]] = parts[1] }
        }
        let roles = values.values.compactMap { Self.role(String($0), cookies) }
        // A browser keeps the cookies of all tokens that it has used.
        return [Role.control, .view, .app].first { roles.contains($0) }
    }

    /// The only comparison of secrets: whole hashes, against every key, in constant time.
    private static func role(_ text: String, _ keys: [Key]) -> Role? {
        let hash = SHA256.hash(text)
        let roles = keys.filter { SHA256.isEqual($0.hash, hash) }.map(\.role)
        return [Role.control, .view, .app].first { roles.contains($0) }
    }

    /// A host name in normal form.
    private static func name(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The host and port of an authority. IPv6 addresses keep their brackets.
    static func split(_ authority: String) -> (name: String, port: String?) {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
    }

    private static func isPort(_ port: String?) -> Bool {
        guard let port else { return true }
        return port.utf8.count <= 5 && port.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func isSame(_ origin: String, _ host: String) -> Bool {
        for (scheme, standard) in [("http://", "80"), ("https://", "443")] where origin.hasPrefix(scheme) {
            let (from, to) = (split(String(origin.dropFirst(scheme.count))), split(host))
            return name(from.name) == name(to.name) && (from.port ?? standard) == (to.port ?? standard)
        }
        return false
    }
}

extension Access {
    func client(_ request: HTTPRequest) -> Requester { Requester(role: role(of: request), peer: request.peer) }
}
