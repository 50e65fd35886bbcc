package import Foundation
import TapeFormat

/// The address of a StateTape server. Apps, tests and commands read it by the same rules.
package struct Address: Equatable, Sendable {
    /// Why a text is not a server's address, as the end of "the address …".
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The app link: `ws://host:port/v1/app`, or `wss`.
    package let url: String
    package let token: String?
    /// The id of the server's archive. `statetape run`, `demo` and `ci` pass it to their apps with `#archive=…`.
    package let archive: String?
    /// Whether to compress messages. Within one machine, compression takes time and saves none.
    package var compresses: Bool

    /// Parses `http(s)://host:port/`, `ws(s)://…` or `host:port`, with or without `/v1/app` and `#token=…`.
    ///
    /// - Parameter token: Overrides the token in the address.
    /// - Throws: ``Invalid``, also for an address with another path: the server's page and API are at the root of a host.
    package init(parsing text: String, token: String? = nil) throws(Invalid) {
        let whole = text.contains("://") ? text : "http://" + text
        let told = Self.withoutSecrets(text)
        guard var parts = URLComponents(string: whole), let host = parts.host, !host.isEmpty,
            let scheme = ["http": "ws", "ws": "ws", "https": "wss", "wss": "wss"][parts.scheme?.lowercased() ?? ""],
            // A single word is more likely a mistake than a host with a server at port 80.
            text.contains("://") || parts.port != nil
        else { throw Invalid(description: "\"\(told)\" is not a URL of the kind http://host:port/") }
        compresses = !Loopback.isHost(host)
        let fragment = Self.fragment(parts.percentEncodedFragment)
        self.token = token.nonEmpty ?? fragment["token"]
        archive = fragment["archive"]
        parts.fragment = nil
        parts.query = nil
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        guard parts.path.isEmpty || parts.path == Self.path else {
            let path = Self.withoutSecrets(parts.path)
            parts.path = "/"
            (parts.user, parts.password) = (nil, nil)
            throw Invalid(
                description: "\"\(told)\" has the path \(path), and a StateTape server is at the root of a host. "
                    + "Use \(parts.string ?? "http://host:port/"), and give a proxy a host name or a port of its own")
        }
        parts.scheme = scheme
        parts.path = Self.path
        guard let url = parts.string else { throw Invalid(description: "\"\(told)\" is not a URL") }
        self.url = url
    }

    /// Nil if the text is not a server's address.
    package init?(_ text: String, token: String? = nil) {
        guard let address = try? Address(parsing: text, token: token) else { return nil }
        self = address
    }

    private static let path = "/v1/app"

    /// An address without its token, user and password, however it is written: also with `/token=` in place of `#token=`.
    private static func withoutSecrets(_ text: String) -> String {
        var place = text.prefix { $0 != "#" && $0 != "?" }
        if let token = place.range(of: "token", options: .caseInsensitive) { place = place[..<token.lowerBound] + "…" }
        guard let at = place.lastIndex(of: "@") else { return String(place) }
        let start = place.range(of: "://")?.upperBound ?? place.startIndex
        return place[..<min(start, at)] + String(place[place.index(after: at)...])
    }

    package var isEncrypted: Bool { url.hasPrefix("wss:") }

    /// Whether the server is on this machine.
    package var isLoopback: Bool { URLComponents(string: url)?.host.map(Loopback.isHost) ?? false }

    /// The server's root, without a token: `http://host:port`.
    package var origin: URL? {
        var parts = URLComponents(string: url)
        parts?.scheme = isEncrypted ? "https" : "http"
        parts?.path = ""
        return parts?.url
    }

    /// The same for every way to write the address, so that two can be compared: `ws://localhost:8080`. It holds no
    /// secrets.
    package var key: String {
        guard let parts = URLComponents(string: url), let host = parts.host?.lowercased() else { return url }
        let name = Loopback.isHost(host) ? "localhost" : host.hasSuffix(".") ? String(host.dropLast()) : host
        return (isEncrypted ? "wss://" : "ws://") + name + ":\(parts.port ?? (isEncrypted ? 443 : 80))"
    }

    /// The pairs of a fragment such as `token=…&archive=…`, without those that are empty.
    private static func fragment(_ text: String?) -> [String: String] {
        var values: [String: String] = [:]
        for pair in (text ?? "").split(separator: "&") {
            guard let end = pair.firstIndex(of: "="),
                let value = String(pair[end...].dropFirst()).removingPercentEncoding
            else { continue }
            if !value.isEmpty, values[String(pair[..<end])] == nil { values[String(pair[..<end])] = value }
        }
        return values
    }
}

// MARK: The order of the sources

extension Address {
    /// Finds the server and its token. Recorders, the upload of failing tests, and commands all use this order.
    ///
    /// - The address: `url`, the environment's `STATETAPE_URL`, the launch argument `-statetape-url`.
    /// - The token: `token`, the fragment of `url`, the environment's `STATETAPE_TOKEN`, the launch argument
    ///   `-statetape-token`, the fragment of an address that is not `url`.
    ///
    /// An empty text counts as absent.
    ///
    /// - Parameters:
    ///   - url: The address in code, or of a command's option.
    ///   - token: The token in code, or of a command's option.
    /// - Returns: Nil if no source names an address.
    /// - Throws: ``Invalid`` for the address that counts.
    package static func find(
        url: String?, token: String?, environment: [String: String], arguments: [String] = []
    ) throws(Invalid) -> Address? {
        func argument(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: "-" + name), index + 1 < arguments.count else { return nil }
            return Optional(arguments[index + 1]).nonEmpty
        }
        let own = token.nonEmpty
        let outside = environment["STATETAPE_TOKEN"].nonEmpty ?? argument("statetape-token")
        if let url = url.nonEmpty {
            let address = try Address(parsing: url, token: own)
            guard address.token == nil, let outside else { return address }
            return try Address(parsing: url, token: outside)
        }
        guard let url = environment["STATETAPE_URL"].nonEmpty ?? argument("statetape-url") else { return nil }
        return try Address(parsing: url, token: own ?? outside)
    }
}

extension String? {
    /// Nil also for an empty string, the value of an exported variable without one.
    package var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
