import Foundation
import TapeFormat

/// The names and addresses of this machine.
enum LocalAddresses {
    /// Whether the host is only reachable from this machine.
    static func isLoopback(_ host: String) -> Bool {
        // Not any other name that is reserved: who needs no token depends on it, and such a name may be resolved to anything.
        Loopback.isAddress(host) || host.lowercased() == "localhost"
    }

    static func isEvery(_ host: String) -> Bool {
        host == "0.0.0.0" || host == "::" || host.isEmpty
    }

    /// The host as in a `Host` header or URL: IPv6 in brackets.
    static func authority(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    /// The `Host` names of a server that listens on `host`.
    static func names(of host: String) -> [String] {
        (isEvery(host) ? interfaces().map(\.host) : [host]).map(authority)
    }

    /// The addresses of a server that listens on `host`, one per interface; the loopback address last.
    static func reachable(of host: String) -> [(interface: String?, host: String)] {
        guard isEvery(host) else { return [(interfaces().first { $0.host == host }?.interface, host)] }
        var seen: Set<String> = []
        // An IPv6 link-local address only works with the peer's own interface name.
        let addresses = interfaces().filter { interface, address in
            address.contains(":") == (host == "::") && !address.lowercased().hasPrefix("fe80:")
                && seen.insert(interface).inserted
        }.map { (interface: String?.some($0.interface), host: $0.host) }
        return addresses.filter { !isLoopback($0.host) } + addresses.filter { isLoopback($0.host) }
    }

    /// The numeric addresses of all network interfaces.
    private static func interfaces() -> [(interface: String, host: String)] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [(String, String)] = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr else { continue }
            let length: Int
            switch Int32(address.pointee.sa_family) {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let flags = Int32(NI_NUMERICHOST)
            guard
                getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, flags) == 0
            else { continue }
            let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            // A link-local address has its interface after a percent sign.
            guard let host = String(decoding: bytes, as: UTF8.self).split(separator: "%").first else { continue }
            addresses.append((String(cString: interface.ifa_name), String(host)))
        }
        return addresses
    }
}
