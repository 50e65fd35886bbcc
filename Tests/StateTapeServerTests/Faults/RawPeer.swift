import Foundation

/// A connection without a client library: it answers nothing, not even pings.
final class RawPeer: Sendable {
    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafeBytes(of: &address) { bytes in
            connect(
                socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard result == 0 else { throw Ended(description: "not connected: \(errno)") }
    }

    deinit {
        Glibc.close(socket)
    }

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends a request, and returns once the server responds.
    func ask(_ request: [UInt8]) {
        send(request)
        var byte: UInt8 = 0
        _ = recv(socket, &byte, 1, 0)
    }
}
