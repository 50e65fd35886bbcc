import Foundation

/// A plain TCP connection to this machine, to send bytes that no valid client sends.
final class RawSocket {
    private let descriptor: Int32

    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // So that a test that waits for nothing fails instead of hanging.
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` closes the socket, also if this throws.
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends until the peer's buffers are full.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Up to `limit` bytes; empty once the peer has closed.
    func receive(_ limit: Int = 1 << 16) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// All bytes until the peer closes.
    func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = receive()
            if piece.isEmpty { return all }
            all += piece
        }
    }

    /// A complete answer with a content-length or without a body, or all bytes until the peer closes.
    func answer(toHead: Bool = false) -> Answer {
        var bytes: [UInt8] = []
        while true {
            let answer = Answer(bytes)
            if let answer, toHead || answer.body.count >= answer.length ?? .max { return answer }
            let piece = receive()
            if piece.isEmpty { return answer ?? Answer.none }
            bytes += piece
        }
    }

    /// The head of an answer, with the part of its body that arrived with it.
    func head() -> Answer { answer(toHead: true) }

    func ask(_ text: String) -> Answer {
        send(text)
        return answer(toHead: text.hasPrefix("HEAD "))
    }

    /// Cuts the connection when this object is released.
    func breakOff() {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes the sending side, like a client that waits for the end of the answer.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func exactly(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = receive(min(count - bytes.count, 1 << 16))
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}

struct Answer {
    var line: String
    var headers: [String: String]
    /// The headers' names as received, including repeated ones.
    var names: [String] = []
    var body: [UInt8]

    static let none = Answer(line: "", headers: [:], body: [])

    init(line: String, headers: [String: String], body: [UInt8]) {
        self.line = line
        self.headers = headers
        self.body = body
    }

    init?(_ bytes: [UInt8]) {
        let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))
        guard let end else { return nil }
        var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        line = lines.removeFirst()
        headers = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            names.append(parts[0].lowercased())
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        body = Array(bytes[end.upperBound...])
    }

    var status: Int { Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    /// The length of the body, if the head tells it.
    var length: Int? { status == 304 ? 0 : headers["content-length"].flatMap { Int($0) } }
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension RawSocket {
    /// The head of an answer, and not a byte more.
    func exactlyToHead() -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = exactly(1)
            if byte.isEmpty { break }
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
