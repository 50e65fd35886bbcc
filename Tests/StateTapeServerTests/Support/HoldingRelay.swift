import Foundation
import TapeFormat

/// Passes bytes between clients on a port and a Unix socket. It can hold what the clients send, as if they were halted
/// in the middle of it, and it can cut a connection in place of an answer.
final class HoldingRelay: Sendable {
    let port: Int
    private let listener: Int32
    private let gate = Gate()
    /// A part of the answers to lose, and how many of them pass before.
    private let lost = Locked<(text: [UInt8], count: Int)?>(nil)

    /// Lets a number of bytes pass, and then none until it is opened.
    private final class Gate: Sendable {
        let room = Locked<Int?>(nil)
        let isReached = DispatchSemaphore(value: 0)
        let isOpened = DispatchSemaphore(value: 0)

        func pass(_ bytes: ArraySlice<UInt8>, _ write: (ArraySlice<UInt8>) -> Void) {
            let count = room.withLock { room in
                guard let left = room else { return bytes.count }
                room = max(left - bytes.count, 0)
                return min(left, bytes.count)
            }
            write(bytes.prefix(count))
            guard count < bytes.count else { return }
            isReached.signal()
            isOpened.wait()
            write(bytes.dropFirst(count))
        }
    }

    init(to path: String) throws {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard bind(listener, address, size) == 0, listen(listener, 8) == 0 else { return Int32(-1) }
            return getsockname(listener, address, &size)
        }
        guard result == 0 else { throw Ended(description: "no port: \(errno)") }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [gate, lost] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let server = Self.connect(path)
                Self.copy(client, server) { bytes in gate.pass(bytes) { Self.write($0, server) } }
                Self.copy(server, client) { bytes in
                    if Self.isLost(bytes, lost) {
                        for socket in [server, client] { shutdown(socket, Int32(SHUT_RDWR)) }
                    } else {
                        Self.write(bytes, client)
                    }
                }
            }
        }
    }

    deinit {
        gate.isOpened.signal()
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    /// Holds what clients send after a number of bytes.
    func hold(after count: Int) { gate.room.withLock { $0 = count } }

    /// Cuts the connection in place of an answer with this text, after a number of such answers. Once.
    func lose(_ text: String, after count: Int) { lost.withLock { $0 = (Array(text.utf8), count) } }

    /// Whether all answers have passed so far.
    var hasLostNothing: Bool { lost.withLock { $0 != nil } }

    private static func isLost(_ bytes: ArraySlice<UInt8>, _ lost: Locked<(text: [UInt8], count: Int)?>) -> Bool {
        lost.withLock { lost in
            guard let (text, count) = lost, bytes.indices.contains(where: { bytes[$0...].starts(with: text) })
            else {
                return false
            }
            lost = count == 0 ? nil : (text, count - 1)
            return count == 0
        }
    }

    /// Waits until it holds something.
    func waitUntilItHolds() { gate.isReached.wait() }

    func goOn() {
        gate.room.withLock { $0 = nil }
        gate.isOpened.signal()
    }

    private static func connect(_ path: String) -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafeBytes(of: &address) { bytes in
            Glibc.connect(
                socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_un>.size))
        }
        return socket
    }

    private static func write(_ bytes: ArraySlice<UInt8>, _ socket: Int32) {
        var rest = bytes
        while !rest.isEmpty,
            case let sent = rest.withUnsafeBytes({ send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }),
            sent > 0
        {
            rest = rest.dropFirst(sent)
        }
    }

    /// Reads from a socket until it ends, and then ends the other one. The descriptors stay open: few tests use them.
    private static func copy(_ from: Int32, _ to: Int32, _ pass: @escaping @Sendable (ArraySlice<UInt8>) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = recv(from, &buffer, buffer.count, 0), count > 0 { pass(buffer[..<count]) }
            shutdown(to, Int32(SHUT_WR))
        }
    }
}
