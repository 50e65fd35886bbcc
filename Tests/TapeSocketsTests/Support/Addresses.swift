import Foundation

/// A name that resolvers reject locally: its first label is longer than the 63 characters that DNS allows.
let unresolvable = String(repeating: "x", count: 64) + ".invalid"

/// Whether this machine can listen on `::1`.
let hasIPv6: Bool = {
    #if canImport(Darwin)
        let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
    #else
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
        }
    }
}()
