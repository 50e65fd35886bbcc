import Foundation
import TapeFormat

/// The numeric address of a peer.
package struct PeerAddress: Hashable, Sendable {
    /// The addresses that one peer can choose from: an IPv4 address, or an IPv6 /64 network, which one machine may use
    /// completely.
    package let group: String
    /// The peer is on this machine. It may be a proxy that connects on behalf of others.
    package let isLoopback: Bool

    package init(_ text: String) {
        let bytes = Self.sixBytes(text)
        if let bytes, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            group = bytes[12...].map { String($0) }.joined(separator: ".")
        } else if let bytes {
            group = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        } else {
            group = text
        }
        isLoopback = Loopback.isAddress(text)
    }

    private static func sixBytes(_ text: String) -> [UInt8]? {
        var address = in6_addr()
        guard text.contains(":"), inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}
