import Foundation

/// A listener that counts its connections, and closes each at once: a proxy that no request should reach.
final class ConnectionCounter: Sendable {
    let port: Int
    private let listening: Int32
    private let connections = Locked(0)

    private final class Locked: @unchecked Sendable {  // the lock guards the value
        private let lock = NSLock()
        private var value: Int

        init(_ value: Int) { self.value = value }

        func increment() { lock.withLock { value += 1 } }
        var current: Int { lock.withLock { value } }
    }

    var count: Int { connections.current }

    init() throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listening = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) == 0 && listen(listening, 64) == 0
                    && getsockname(listening, $0, &size) == 0
            }
        }
        guard isFound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = Int(in_port_t(bigEndian: address.sin_port))
        let connections = connections
        Thread.detachNewThread {
            while case let client = accept(listening, nil, nil), client >= 0 {
                connections.increment()
                close(client)
            }
        }
    }

    deinit {
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
    }
}
