import Foundation

/// The address of the server's app link.
struct Address: Equatable, Sendable {
    /// `ws://host:port/v1/app`, or `wss`.
    let url: String
    let token: String?
    /// Whether to compress messages. Within one machine, compression takes time and saves none.
    var compresses: Bool

    /// Parses `http(s)://host:port/`, `ws(s)://…` or `host:port`, with or without `/v1/app` and `#token=…`.
    ///
    /// - Parameter token: Overrides the token in the address.
    init?(_ text: String, token: String? = nil) {
        let whole = text.contains("://") ? text : "http://" + text
        guard var parts = URLComponents(string: whole), let scheme = parts.scheme?.lowercased(),
            let host = parts.host
        else {
            return nil
        }
        compresses = !Self.isLoopback(host)
        switch scheme {
        case "http", "ws": parts.scheme = "ws"
        case "https", "wss": parts.scheme = "wss"
        default: return nil
        }
        self.token = token ?? Self.token(in: parts.percentEncodedFragment)
        parts.fragment = nil
        parts.query = nil
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        if !parts.path.hasSuffix("/v1/app") { parts.path += "/v1/app" }
        guard let url = parts.string else { return nil }
        self.url = url
    }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || host.trimmingCharacters(in: ["[", "]"]) == "::1"
    }

    private static func token(in fragment: String?) -> String? {
        let pairs = (fragment ?? "").split(separator: "&")
        guard let pair = pairs.first(where: { $0.hasPrefix("token=") }) else { return nil }
        return String(pair.dropFirst("token=".count)).removingPercentEncoding
    }
}
