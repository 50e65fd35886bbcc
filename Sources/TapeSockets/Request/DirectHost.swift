import Foundation
import TapeFormat

/// A host that is reached without a proxy: this machine, and the addresses of private networks. A proxy would get the token,
/// and can rarely reach them.
package struct DirectHost {
    /// For a request: an address as the system writes it, a name without a dot at its end.
    package let name: String
    /// Whether it is this machine, or has an address of a private network. Other names are not looked up.
    package let isDirect: Bool

    /// - Parameter host: A name or an address, also in brackets.
    package init(_ host: String) {
        let host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        #else
            hints.ai_socktype = SOCK_DGRAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(bare, nil, &hints, &found) == 0, let address = found?.pointee else {
            (name, isDirect) = (bare, Loopback.isHost(bare))
            return
        }
        defer { freeaddrinfo(found) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        getnameinfo(address.ai_addr, address.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        isDirect = Self.isPrivate(name) || Self.isOwn(address)
    }

    private static func isPrivate(_ address: String) -> Bool {
        if Loopback.isAddress(address) || address == "::" { return true }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address.split(separator: "%")[0].description, &six) == 1 else {
            return isPrivate(address.split(separator: ".").compactMap { UInt8($0) })
        }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return isPrivate(Array(bytes[12...]))
        }
        return bytes[0] & 0xfe == 0xfc || bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    private static func isPrivate(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
        case (172, let second): second & 0xf0 == 16
        default: false
        }
    }

    /// Whether an interface of this machine has the address: only then a socket can have it.
    private static func isOwn(_ address: addrinfo) -> Bool {
        let file = socket(address.ai_family, address.ai_socktype, 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        return bind(file, address.ai_addr, address.ai_addrlen) == 0
    }
}
