#if os(Linux)
    import Foundation

    /// The proxies that the environment names, which Foundation's library curl reads.
    enum Proxy {
        private static func variable(_ names: String...) -> String? {
            let environment = ProcessInfo.processInfo.environment
            return names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }

        /// Whether curl would reach a host through a proxy, without TLS.
        ///
        /// - Parameter host: A name or an address; one of IPv6 without brackets.
        static func isUsed(for host: String) -> Bool {
            guard variable("http_proxy", "all_proxy", "ALL_PROXY") != nil else { return false }
            let excluded = (variable("no_proxy", "NO_PROXY") ?? "").split { ", ".contains($0) }
            return !excluded.contains { name in
                let name = name.drop { $0 == "." }.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
                return name == "*" || host == name || host.hasSuffix(".\(name)")
            }
        }

        /// Keeps requests with TLS to a host away from the proxy. Such a request comes before all
        /// others, so that no other thread reads the environment at that time.
        static func exclude(_ host: String) {
            guard variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") != nil else { return }
            let excluded = variable("no_proxy", "NO_PROXY")
            guard excluded != "*", !(excluded ?? "").split(separator: ",").contains(Substring(host)) else { return }
            setenv("no_proxy", excluded.map { "\($0),\(host)" } ?? host, 1)
        }
    }
#endif
