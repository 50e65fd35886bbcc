import Foundation
import TapeFormat

/// The addresses at which apps reach the server.
struct ServerAddresses: Sendable {
    /// One address, with the links that connect an app.
    struct Place: Sendable {
        /// The network interface's name; nil for a configured host name.
        let interface: String?
        let host: String
        let url: String
        let token: String?

        /// The value for `Recorder(url:)` and `STATETAPE_URL`.
        var link: String { token.map { "\(url)#token=\(Self.escaped($0))" } ?? url }

        /// The URL for `tape.open(url)` in an app with this URL scheme.
        func appLink(scheme: String) -> String {
            let token = token.map { "&token=\(Self.escaped($0))" } ?? ""
            return "\(scheme)://statetape?url=\(Self.escaped(url))\(token)"
        }

        var json: JSON {
            var place = JSON.Object()
            place["interface"] = interface.map(JSON.string)
            place["host"] = .string(host)
            place["url"] = .string(url)
            place["link"] = .string(link)
            place["appLink"] = .string(appLink(scheme: "APP-SCHEME"))
            return .object(place)
        }

        private static let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

        private static func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        }
    }

    let host: String
    let allowedHosts: [String]

    /// The server's addresses, the most likely first: configured names, networks, this machine.
    ///
    /// - Parameter authority: The request's `Host`. Its port is used, since a container may map the server's port
    ///   to another one. If it names another machine's view of the server, that address comes first.
    func places(reachedAt authority: String, isSecure: Bool, token: String?) -> [Place] {
        let (name, port) = Access.split(authority)
        let places = (allowedHosts.map { (nil, $0) } + LocalAddresses.reachable(of: host)).map { interface, host in
            let host = LocalAddresses.authority(host)
            let scheme = isSecure ? "https" : "http"
            return Place(
                interface: interface, host: host, url: "\(scheme)://\(host)\(port.map { ":" + $0 } ?? "")/",
                token: token)
        }
        let isFirst = { (place: Place) in place.host == name && !LocalAddresses.isLoopback(name) }
        return places.filter(isFirst) + places.filter { !isFirst($0) }
    }

    static func isScheme(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil
    }
}
