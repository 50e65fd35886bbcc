import Foundation
import TapeFormat
import TapeSockets

/// The input is sent over one TCP connection to a server in this process, after a WebSocket handshake if the first byte
/// is below 128. The server must answer with HTTP responses, or with complete unmasked frames.
func fuzzFraming(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let isWebSocket = first < 128
    let content = Array(bytes.dropFirst())
    let answer = EchoServer.shared.converse(isWebSocket ? EchoServer.handshake + content : content)
    guard isWebSocket else {
        require(answer.isEmpty || answer.starts(with: Array("HTTP/1.".utf8)), "the answer is no HTTP response")
        return
    }
    let end = Array("\r\n\r\n".utf8)
    guard answer.starts(with: Array("HTTP/1.1 101".utf8)),
        let head = answer.indices.first(where: { answer[$0...].starts(with: end) })
    else { return }
    requireFrames(answer[(head + end.count)...])
}

private func requireFrames(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 2 {
        let (kind, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
        require([0, 1, 2, 8, 9, 10].contains(kind & 15) && kind & 0x70 == 0, "a frame has an invalid opcode")
        require(length < 128, "a server's frame has a mask")
        require(kind & 15 < 8 || kind & 0x80 != 0 && length < 126, "a control frame is fragmented or too long")
        let wide = length == 126 ? 2 : length == 127 ? 8 : 0
        guard rest.count >= 2 + wide else { return }
        let size =
            wide == 0 ? length : rest.dropFirst(2).prefix(wide).reduce(0) { $0 << 8 | Int($1) }
        require(size <= 1 << 20, "a frame is longer than the input")
        rest = rest.dropFirst(2 + wide + size)
    }
}

/// A server that echoes messages and request bodies.
private final class EchoServer: Service, ConnectionHandler {
    static let shared = EchoServer()

    static let handshake = Array(
        """
        GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: echo\r\n\r\n
        """.utf8)

    /// Lives as long as the process.
    private let listener = Locked<Listener?>(nil)

    private var port: Int {
        listener.withLock { listener in
            if let listener { return listener.port }
            var options = Listener.Options()
            options.maxMessage = 64 << 10
            options.maxBody = 64 << 10
            guard let loop = try? EventLoop(),
                let made = try? Listener(
                    on: loop, host: "127.0.0.1", port: 0, subprotocols: ["echo"], options: options, service: self)
            else { fatalError("the server can't start") }
            listener = made
            return made.port
        }
    }

    func admit(_ request: HTTPRequest) -> HTTPResponse? { nil }
    func handle(_ exchange: HTTPExchange) {
        exchange.respond(HTTPResponse(status: 200, headers: [("content-type", "text/plain")], body: exchange.body))
    }
    func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
        offered.contains("echo")
            ? .accept(subprotocol: "echo", self) : .refuse(HTTPResponse(status: 400))
    }
    func opened(_ connection: Connection) {}
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        connection.send(message, isText: isText)
    }
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}

    /// Sends bytes, shuts down the sending side, and returns the answer up to the end of the connection.
    func converse(_ bytes: [UInt8]) -> [UInt8] {
        let peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(peer) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        // The fuzzer's timer is a signal, and an interrupted connect can't be repeated.
        var (tick, before) = (sigset_t(), sigset_t())
        sigemptyset(&tick)
        sigaddset(&tick, SIGALRM)
        pthread_sigmask(SIG_BLOCK, &tick, &before)
        let isConnected = withUnsafeBytes(of: &address) { address in
            connect(
                peer, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count)) == 0
        }
        require(isConnected, "the server refuses the connection: \(errno)")
        pthread_sigmask(SIG_SETMASK, &before, nil)
        // Otherwise thousands of connections would each occupy a port for a minute.
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        // The timeout detects a blocked event loop.
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var answer: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(peer, Int32(SHUT_WR))
        while true {
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(peer, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            require(count >= 0 || errno == ECONNRESET, "the server doesn't answer any more: \(errno)")
            guard count > 0 else { return answer }
            answer += piece.prefix(count)
        }
    }
}
