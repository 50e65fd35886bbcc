import Foundation

/// Relays connections to a server. Cuts the first connection after a number of bytes, once the server has processed
/// them.
final class CuttingRelay: Sendable {
    let port: Int
    private let listening: Int32

    /// - Parameter isDone: Polled after the limit; the relay cuts when it returns true, or after 10 s.
    init(to target: Int, cutAfter limit: Int, once isDone: @escaping @Sendable () -> Bool) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listening = listening
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) == 0 && listen(listening, 8) == 0
                    && getsockname(listening, $0, &size) == 0
            }
        }
        guard found else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread {
            var limit = limit
            while case let client = accept(listening, nil, nil), client >= 0 {
                let server = Self.connected(to: target)
                let most = limit
                limit = .max
                Thread.detachNewThread {
                    let isBack = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        _ = Self.pass(from: server, to: client, .max, isDone)
                        isBack.signal()
                    }
                    let isCut = Self.pass(from: client, to: server, most, isDone)
                    isBack.wait()
                    // A client that is still sending notices the cut only by a reset.
                    if isCut { Self.resetWhenClosed(client) }
                    for descriptor in [client, server] { close(descriptor) }
                }
            }
        }
    }

    deinit {
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
    }

    /// - Returns: Whether the limit was reached.
    private static func pass(from source: Int32, to target: Int32, _ limit: Int, _ isDone: () -> Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var passed = 0
        while passed < limit, case let count = read(source, &buffer, buffer.count), count > 0 {
            var sent = 0
            while sent < count {
                let more = buffer[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            passed += count
        }
        let end = ContinuousClock.now + .seconds(10)
        while passed >= limit, !isDone(), .now < end {}
        // Only a shutdown: the other thread still uses the descriptors.
        for descriptor in [source, target] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return passed >= limit
    }

    private static func resetWhenClosed(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private static func connected(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port)
        withUnsafePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
