import Foundation
import TapeFormat

/// The addresses at which apps reach the server.
struct ServerAddresses: Sendable {
    /// One address, with the links that connect an app.
    struct Address: Sendable {
        /// The network interface's name; nil for a configured host name.
        let interface: String?
        let host: String
        let url: String
        let token: String?

        /// The value for `Recorder.Configuration(url:)` and `STATETAPE_URL`.
        var link: String { token.map { "\(url)#token=\(Self.escaped($0))" } ?? url }

        /// The URL for `tape.open(url)` in an app with this URL scheme.
        func appLink(scheme: String) -> String {
            let token = token.map { "&token=\(Self.escaped($0))" } ?? ""
            return "\(scheme)://statetape?url=\(Self.escaped(url))\(token)"
        }

        var json: JSON {
            var address = JSON.Object()
            address["interface"] = interface.map(JSON.string)
            address["host"] = .string(host)
            address["url"] = .string(url)
            address["link"] = .string(link)
            address["appLink"] = .string(appLink(scheme: "APP-SCHEME"))
            return .object(address)
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
    func addresses(reachedAt authority: String, isSecure: Bool, token: String?) -> [Address] {
        let (name, port) = Access.split(authority)
        let addresses = (allowedHosts.map { (nil, $0) } + LocalAddresses.reachable(of: host)).map { interface, host in
            let host = LocalAddresses.authority(host)
            let scheme = isSecure ? "https" : "http"
            return Address(
                interface: interface, host: host, url: "\(scheme)://\(host)\(port.map { ":" + $0 } ?? "")/",
                token: token)
        }
        let isFirst = { (address: Address) in address.host == name && !LocalAddresses.isLoopback(name) }
        return addresses.filter(isFirst) + addresses.filter { !isFirst($0) }
    }

    static func isScheme(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil
    }
}
