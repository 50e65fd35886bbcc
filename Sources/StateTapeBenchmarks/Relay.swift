import Foundation
import TapeFormat

/// Relays one connection from an app to its server, and counts the app's bytes.
final class Relay: Sendable {
    struct Failure: Error {}

    let port: Int
    private let count = Locked(0)
    /// The number of bytes from the app so far.
    var forwarded: Int { count.withLock { $0 } }

    init(to server: Int) throws {
        let (listener, port) = try Self.listen()
        self.port = port
        Thread.detachNewThread { [self] in
            let app = accept(listener, nil, nil)
            guard let other = try? Self.connected(to: server) else { return }
            Thread.detachNewThread { Self.forward(other, to: app) { _ in } }
            Self.forward(app, to: other) { bytes in self.count.withLock { $0 += bytes } }
            for socket in [app, other, listener] { close(socket) }
        }
    }

    /// Listens on a free port of this machine.
    static func listen() throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withGeneric(&address) { generic in
            bind(listener, generic, length) == 0 && Foundation.listen(listener, 1) == 0
                && getsockname(listener, generic, &length) == 0
        }
        guard isListening else { throw Failure() }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects a socket to a port of this machine.
    static func connected(to port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withGeneric(&address, { connect(descriptor, $0, size) }) == 0 else {
            close(descriptor)
            throw Failure()
        }
        return descriptor
    }

    private static func forward(_ source: Int32, to target: Int32, _ count: (Int) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let read = recv(source, &buffer, buffer.count, 0), read > 0 {
            count(read)
            var sent = 0
            while sent < read {
                let written = buffer[sent..<read].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
