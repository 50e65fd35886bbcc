internal import CTapeSockets
import Foundation
import TapeFormat

/// The HTTP side of one TCP connection. Requests are handled one after the other. On the loop's thread only.
final class HTTPSocket: ServerSocketOwner {
    enum Phase {
        /// Waiting for a request, or for the rest of its head.
        case idle
        /// Reading the body.
        case reading(HTTPRequest)
        /// Passing the body to its taker as it arrives.
        case taking(BodyReader)
        /// The service has the exchange.
        case waiting
        /// Sending the answer.
        case answering
        /// The socket is now a WebSocket, or has sent its last answer.
        case over
    }

    /// In seconds: for the next request, for the rest of its head, and for the peer to read or send anything.
    enum Timeout {
        static let idle: Int32 = 60
        static let head: Int32 = 20
        static let progress: Int32 = 30
    }

    let socket: OpaquePointer
    let context: ListenerContext
    let peer: String
    var phase = Phase.idle
    /// Bytes of the next request that were already read.
    var input: [UInt8] = []
    private var head = RequestHeadReader()
    /// Identifies the current exchange among those of this connection.
    var serial = 0
    /// Whether the peer of the current exchange has disconnected.
    private var abandoned = Locked(false)
    private var isChecking = false
    /// When a delayed answer is sent.
    var heldUntil: ContinuousClock.Instant?
    var body: [UInt8] = []
    /// Bytes of the body that have not arrived yet.
    var rest = 0
    var isHead = false
    var isHTTP11 = true
    var isClosing = false
    var pace = BodyPace()
    var outgoing = Outgoing()
    var source: HTTPSource?
    /// What the current answer holds.
    var held: (any Sendable)?
    /// The request that is answered.
    var request: HTTPRequest?

    init(_ socket: OpaquePointer, at context: ListenerContext) {
        self.socket = socket
        self.context = context
        peer = String(cString: tape_peer(socket))
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        var bytes = UnsafeRawBufferPointer(bytes)
        let count = min(rest, bytes.count)
        if count > 0 {
            take(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        }
        guard !bytes.isEmpty else { return }
        if case .over = phase { return }
        if input.isEmpty, case .idle = phase { tape_timeout(socket, Timeout.head) }
        input.append(contentsOf: bytes)
        readRequests()
    }

    /// Starts the next request if its head is complete.
    func readRequests() {
        while case .idle = phase, !input.isEmpty {
            let reading = head.read(input, peer: peer)
            switch reading {
            case .incomplete: return
            case .refused(let response):
                head = RequestHeadReader()
                serial += 1
                input = []
                isHead = false
                return refuse(response, closing: true)
            case .complete(let request, let count):
                head = RequestHeadReader()
                input.removeFirst(count)
                begin(request)
                if rest > 0 { takeInput() }
            }
        }
    }

    private func begin(_ head: RequestHead) {
        serial += 1
        rest = head.bodyLength
        let request = head.request
        isHead = request.method == "HEAD"
        isHTTP11 = head.isHTTP11
        isClosing = !isHTTP11
        let connection = request.headers["connection"]?.lowercased() ?? ""
        let options = connection.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if options.contains("close") {
            isClosing = true
        } else if options.contains("keep-alive") {
            isClosing = false
        }
        if isUpgrade(request) { return upgrade(head) }

        let waitsForConsent = isHTTP11 && request.headers["expect"]?.lowercased() == "100-continue"
        if let refusal = context.service.admit(request) { return refuse(refusal, closing: waitsForConsent) }
        let intake = context.service.intake(request)
        let limit = intake?.limit ?? min(context.options.maxBody, context.service.maxBody(request))
        guard rest <= limit else {
            return refuse(HTTPResponse(status: 413, "A body can have \(limit) bytes."), closing: waitsForConsent)
        }
        guard rest > 0 else { return deliver(request) }
        if waitsForConsent { write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        if let intake {
            phase = .taking(self.intake(request, intake))
        } else {
            phase = .reading(request)
        }
        tape_timeout(socket, 0)
        pace = BodyPace()
        watchPace()
    }

    func deliver(_ request: HTTPRequest) {
        wait()
        if let intake = context.service.intake(request) {
            self.intake(request, intake).end()
        } else {
            context.service.handle(exchange(request))
        }
    }

    /// Stops reading until the answer is sent: the peer's next requests wait on its side.
    func wait() {
        phase = .waiting
        tape_read(socket, false)
        tape_timeout(socket, 0)
        checkPeerLater()
    }

    /// Checks at intervals whether the peer still waits. Since nothing is read, a disconnect would go unnoticed.
    func checkPeerLater() {
        guard !isChecking else { return }
        isChecking = true
        schedule(after: .milliseconds(250)) { $0.checkPeer() }
    }

    private func checkPeer() {
        isChecking = false
        switch phase {
        case .waiting: break
        case .answering where source?.isBusy == true: break
        default: return
        }
        if tape_has_left(socket) { abandoned.withLock { $0 = true } } else { checkPeerLater() }
    }

    func exchange(_ request: HTTPRequest) -> HTTPExchange {
        defer { body = [] }
        self.request = request
        abandoned = Locked(false)
        return HTTPExchange(
            request: request, body: body, disconnected: abandoned,
            answer: context.loop.back { [self, serial] in answer($0, to: serial) })
    }

    func socketClosed(error: String?) {
        abandoned.withLock { $0 = true }
        if case .taking(let intake) = phase { intake.abandon() }
        // Breaks a cycle: a taker holds the exchange, which refers to this socket.
        phase = .over
        serial += 1
        (source, held, request) = (nil, nil, nil)
        outgoing = Outgoing()
        input = []
        context.exit(peer, notBefore: heldUntil)
    }

    /// Runs `body` after a delay, unless the socket is closed by then.
    func schedule(after delay: Duration, _ body: @escaping (HTTPSocket) -> Void) {
        context.loop.later(after: delay) { [weak self] in
            if let self { body(self) }
        }
    }

    /// Writes bytes at once, before or instead of an answer.
    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { tape_write(socket, nil, 0, $0.baseAddress, $0.count) }
    }
}
