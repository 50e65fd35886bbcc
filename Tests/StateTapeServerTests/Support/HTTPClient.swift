import Foundation
import TapeFormat

/// A minimal HTTP client: one request per connection, no added headers, no redirects.
struct HTTPClient: Sendable {
    struct Response: Sendable {
        var status = 0
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
        var code: String? { (try? JSON(parsing: body))?["code"]?.string }
        func json() throws -> JSON { try JSON(parsing: body) }
        var lines: [[UInt8]] { body.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    }

    let port: Int

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Response {
        try await send("GET", path, headers: headers)
    }

    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: JSON? = nil
    ) async throws -> Response {
        try await send(method, path, headers: headers, bytes: body?.bytes ?? [])
    }

    /// - Parameter announced: The content-length, if it differs from the body's length.
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], bytes body: [UInt8],
        announced: Int? = nil
    ) async throws -> Response {
        var headers = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
        if method != "GET" { headers["Content-Length"] = String(announced ?? body.count) }
        let head = "\(method) \(path) HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        let request = Array(head.utf8) + body
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try Self.parse(try exchange(request, breaks: announced != nil)) })
            }
        }
    }

    /// Sends raw bytes, closes the sending side, and returns the server's answer.
    ///
    /// - Parameter head: Sent first; the server answers it before the rest is sent.
    @discardableResult
    func raw(_ bytes: [UInt8], after head: [UInt8] = []) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(head, then: bytes, breaks: true) })
            }
        }
    }

    /// Sends, and reads until the server closes.
    private func exchange(_ request: [UInt8], then rest: [UInt8] = [], breaks: Bool) throws -> [UInt8] {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        // A server that is silent for so long won't answer.
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafeBytes(of: &address) { bytes in
            connect(
                socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard connected == 0 else { throw Ended(description: "not connected: \(errno)") }
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        func receive() -> Bool {
            let count = recv(socket, &buffer, buffer.count, 0)
            response += buffer[..<max(0, count)]
            return count > 0
        }
        Self.send(request, to: socket)
        if !rest.isEmpty, !request.isEmpty {
            while response.firstRange(of: Array("\r\n\r\n".utf8)) == nil, receive() {}
        }
        Self.send(rest, to: socket)
        if breaks { shutdown(socket, Int32(SHUT_WR)) }
        while receive() {}
        return response
    }

    /// Sends until the peer's buffers are full.
    private static func send(_ bytes: [UInt8], to socket: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
    }

    private static func parse(_ bytes: [UInt8]) throws -> Response {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw Ended(description: "no HTTP answer: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var response = Response()
        response.status = Int(head[0].split(separator: " ")[1]) ?? 0
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            response.headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        let body = bytes[end.upperBound...]
        let isChunked = response.headers["transfer-encoding"]?.lowercased() == "chunked"
        response.body = isChunked ? try joined(body) : Array(body)
        if let length = response.headers["content-length"].flatMap({ Int($0) }) {
            response.body = Array(response.body.prefix(length))
        }
        return response
    }

    /// The content of a chunked body; throws if the body is incomplete.
    private static func joined(_ body: ArraySlice<UInt8>) throws -> [UInt8] {
        var rest = body
        var content: [UInt8] = []
        while let end = rest.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
        {
            if size == 0 { return content }
            content += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size + 2)
        }
        throw Ended(description: "the body broke off")
    }
}
