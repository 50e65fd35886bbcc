import Foundation

/// The hosts that only this machine reaches.
package enum Loopback {
    /// Whether the text is such an address. A name that only looks like one may resolve to anything.
    ///
    /// - Parameter text: IPv6 also in brackets.
    package static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { $0[0] == 127 } }
        guard inet_pton(AF_INET6, text.trimmingCharacters(in: ["[", "]"]), &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { bytes in
            let isFour = bytes[10] == 0xff && bytes[11] == 0xff && bytes[12] == 127
            return bytes.prefix(10).allSatisfy { $0 == 0 }
                && (isFour || bytes[10..<15].allSatisfy { $0 == 0 } && bytes[15] == 1)
        }
    }

    /// Whether the host is such an address, or a name that is reserved for them.
    package static func isHost(_ host: String) -> Bool {
        let name = host.lowercased()
        return isAddress(name) || name == "localhost" || name.hasSuffix(".localhost")
    }
}
