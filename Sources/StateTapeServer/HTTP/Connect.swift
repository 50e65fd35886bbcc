#if Server
    import Foundation
    import TapeFormat

    /// The addresses at which apps reach the server.
    struct Connect: Sendable {
        /// One of them, with the links that lead an app there.
        struct Place: Sendable {
            /// The network interface's name; nil for a name that the server was given.
            let interface: String?
            let host: String
            let url: String
            let token: String?

            /// What `Recorder(url:)` and `STATETAPE_URL` take.
            var link: String { token.map { "\(url)#token=\(Self.escaped($0))" } ?? url }

            /// What `tape.open(url)` takes, of an app that has the URL scheme.
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
        let isSecure: Bool

        /// Those that the server listens on, the likeliest first: names that it was given, networks, this machine.
        ///
        /// - Parameter authority: The `Host` that the asking request was sent to. Its port counts, which a container may
        ///   have led to another one; and where it leads from elsewhere it comes first.
        func places(reachedAt authority: String, token: String?) -> [Place] {
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
#endif
