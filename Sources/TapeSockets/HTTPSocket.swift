internal import CTapeSockets
import Foundation

/// The HTTP side of one TCP connection: requests one after the other. On the loop's thread only.
final class HTTPSocket: ServerSocketOwner {
    enum Phase {
        /// A request is waited for, or its head is incomplete.
        case idle
        /// The body comes in.
        case reading(HTTPRequest)
        /// The body goes to its taker as it comes in.
        case taking(HTTPIntake)
        /// The service has the exchange.
        case waiting
        /// The answer goes out.
        case answering
        /// It is a WebSocket now, or has had its last answer.
        case over
    }

    /// Seconds for the next request, for the rest of its head, and for a peer to take or send anything.
    private enum Timeout {
        static let idle: Int32 = 60
        static let head: Int32 = 20
        static let progress: Int32 = 30
    }
    /// Bytes of a refused body that are read for the sake of the next request; behind a longer one the connection ends.
    private static let maxDiscarded = 64 << 20

    let socket: OpaquePointer
    let site: Site
    let peer: String
    private(set) var phase = Phase.idle
    /// What was read and belongs to the next request.
    private var input: [UInt8] = []
    /// Tells an exchange from the ones before on this connection.
    private var serial = 0
    /// Of the exchange that the service has: whether nobody waits for its answer.
    private var abandoned = Locked(false)
    private var isLooking = false
    private var body: [UInt8] = []
    /// Bytes of the body that have not come yet.
    private var rest = 0
    private var isHead = false
    private var isHTTP11 = true
    private var isClosing = false
    private var pace = BodyPace()
    private var outgoing = Outgoing()
    private var source: HTTPSource?

    init(_ socket: OpaquePointer, at site: Site) {
        self.socket = socket
        self.site = site
        peer = String(cString: tape_peer(socket))
    }

    // MARK: Request

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

    /// Begins the next request if its head is there.
    private func readRequests() {
        while case .idle = phase, !input.isEmpty {
            switch RequestHead.read(input, peer: peer) {
            case .incomplete: return
            case .refused(let response):
                serial += 1
                input = []
                isHead = false
                return refuse(response, closing: true)
            case .complete(let head, let count):
                input.removeFirst(count)
                begin(head)
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
        if options.contains("close") { isClosing = true } else if options.contains("keep-alive") { isClosing = false }
        if isUpgrade(request) { return upgrade(head) }

        let waitsForConsent = request.headers["expect"]?.lowercased() == "100-continue"
        if let refusal = site.service.admit(request) { return refuse(refusal, closing: waitsForConsent) }
        let intake = site.service.intake(request)
        let limit = intake?.limit ?? site.options.maxBody
        guard rest <= limit else {
            return refuse(HTTPResponse(status: 413, "A body may have \(limit) bytes."), closing: waitsForConsent)
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

    /// Takes what of the body was read with the head.
    private func takeInput() {
        let piece = Array(input.prefix(rest))
        input.removeFirst(piece.count)
        if !piece.isEmpty { piece.withUnsafeBytes(take) }
    }

    /// Takes a piece of the body, or forgets it if the request was refused.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        rest -= bytes.count
        pace.take(bytes.count)
        switch phase {
        case .reading(let request):
            body.append(contentsOf: bytes)
            if rest == 0 { deliver(request) }
        case .taking(let intake):
            intake.receive(bytes)
            if rest == 0 {
                wait()
                intake.end()
            } else if intake.isFull {
                tape_read(socket, false)
            }
        case .idle, .waiting, .answering, .over: break
        }
    }

    private func deliver(_ request: HTTPRequest) {
        wait()
        if let intake = site.service.intake(request) {
            self.intake(request, intake).end()
        } else {
            site.service.handle(exchange(request))
        }
    }

    /// Until the answer goes out nothing is read: the peer's next requests wait at the peer.
    private func wait() {
        phase = .waiting
        tape_read(socket, false)
        tape_timeout(socket, 0)
        if !isLooking { lookLater() }
    }

    /// Looks now and then whether the peer still waits: as nothing is read, its leaving goes unnoticed else.
    private func lookLater() {
        isLooking = true
        schedule(after: .milliseconds(250)) { $0.look() }
    }

    private func look() {
        isLooking = false
        guard case .waiting = phase else { return }
        if tape_has_left(socket) { abandoned.withLock { $0 = true } } else { lookLater() }
    }

    private func exchange(_ request: HTTPRequest) -> HTTPExchange {
        let bound = LoopBound(self)
        defer { body = [] }
        abandoned = Locked(false)
        return HTTPExchange(request: request, body: body, gone: abandoned) { [serial, loop = site.loop] answer in
            loop.execute { bound.value.answer(answer, to: serial) }
        }
    }

    private func intake(_ request: HTTPRequest, _ intake: BodyIntake) -> HTTPIntake {
        HTTPIntake(intake.begin(exchange(request)), loop: site.loop) { [weak self, serial] in self?.relieved(serial) }
    }

    private func relieved(_ serial: Int) {
        guard serial == self.serial, case .taking = phase else { return }
        tape_read(socket, true)
    }

    /// Ends a request whose body comes so slowly that it only keeps others waiting.
    private func watchPace() {
        let window = site.options.bodyWindow
        schedule(after: window) { [serial] socket in
            if serial == socket.serial { socket.checkPace(window) }
        }
    }

    private func checkPace(_ window: Duration) {
        let isPaused: Bool
        switch phase {
        case .reading: isPaused = false
        case .taking(let intake): isPaused = intake.isFull
        default: return
        }
        let rate = site.options.minBodyRate
        guard pace.isFast(atLeast: Double(rate) * (window / .seconds(1)), isPaused: isPaused) else {
            return refuse(HTTPResponse(status: 408, "A body must bring \(rate) bytes a second."), closing: true)
        }
        watchPace()
    }

    /// Answers before the body has come.
    func refuse(_ response: HTTPResponse, closing: Bool) {
        if closing { isClosing = true }
        if case .taking(let intake) = phase { intake.abandon() }
        body = []
        guard response.delay > .zero else {
            phase = .answering
            return send(response)
        }
        wait()
        answerLater(response, to: serial)
    }

    // MARK: Upgrade

    private func isUpgrade(_ request: HTTPRequest) -> Bool {
        let names = (request.headers["upgrade"] ?? "").split(separator: ",")
        return names.contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "websocket" }
    }

    private func upgrade(_ head: RequestHead) {
        switch WebSocketHandshake(head, at: site).answer {
        case .refuse(let response): refuse(response, closing: true)
        case .accept(let answer, let handler):
            let connection = Connection(
                on: site.loop, peer: peer, maxMessage: site.options.maxMessage,
                maxOutstanding: site.options.maxOutstanding, heartbeat: site.options.heartbeat, handler: handler)
            phase = .over
            write(answer)
            let rest = input
            input = []
            connection.begin(socket, rest: rest) { [site, peer] in site.exit(peer) }
        }
    }

    // MARK: Answer

    private func answer(_ answer: HTTPAnswer, to serial: Int) {
        guard serial == self.serial else { return }
        switch phase {
        case .waiting, .taking: phase = .answering
        case .idle, .reading, .answering, .over: return
        }
        switch answer {
        case .whole(let response) where response.delay > .zero:
            phase = .waiting
            isClosing = true
            answerLater(response, to: serial)
        case .whole(let response): send(response)
        case .stream(let head, let next): stream(head, next)
        }
    }

    private func answerLater(_ response: HTTPResponse, to serial: Int) {
        isClosing = true
        schedule(after: response.delay) { socket in
            var response = response
            response.delay = .zero
            socket.answer(.whole(response), to: serial)
        }
    }

    /// Runs `body` later, unless the socket is gone by then.
    private func schedule(after delay: Duration, _ body: @escaping @Sendable (HTTPSocket) -> Void) {
        let held = LoopBound(Weak(socket: self))
        site.loop.schedule(after: delay) {
            if let socket = held.value.socket { body(socket) }
        }
    }

    private struct Weak {
        weak var socket: HTTPSocket?
    }

    private func send(_ response: HTTPResponse) {
        let response = site.service.worded(response)
        var headers = response.headers
        if response.status != 204, response.status != 304 {
            headers.append(("content-length", "\(response.body.count)"))
        }
        sendHead(HTTPResponseHead(status: response.status, headers: headers))
        if !isHead { outgoing.append(response.body) }
        tape_want_write(socket)
    }

    private func stream(_ head: HTTPResponseHead, _ next: @escaping @Sendable () throws -> [UInt8]?) {
        var head = head
        let isMeasured = head.headers.contains { $0.0.lowercased() == "content-length" }
        let isChunked = !isMeasured && isHTTP11
        if isChunked { head.headers.append(("transfer-encoding", "chunked")) }
        if !isMeasured, !isChunked { isClosing = true }
        sendHead(head)
        if !isHead { source = HTTPSource(isChunked: isChunked, next: next) }
        tape_want_write(socket)
    }

    private func sendHead(_ head: HTTPResponseHead) {
        var head = head
        if rest > Self.maxDiscarded { isClosing = true }
        if isClosing { head.headers.append(("connection", "close")) }
        outgoing.append(head.bytes)
        // A peer may read nothing before it has sent all of the body.
        tape_read(socket, rest > 0)
        tape_timeout(socket, Timeout.progress)
    }

    /// Has the next piece made while the last one goes out.
    private func pull() {
        guard let source, !source.isBusy, outgoing.count < tape_chunk else { return }
        source.isBusy = true
        // A slow source is no reason to drop the peer.
        if outgoing.isEmpty { tape_timeout(socket, 0) }
        let next = source.next
        let bound = LoopBound(self)
        DispatchQueue.global().async { [serial, loop = site.loop] in
            let piece = Result { try next() }
            loop.execute { bound.value.pulled(piece, for: serial) }
        }
    }

    private func pulled(_ piece: Result<[UInt8]?, any Error>, for serial: Int) {
        guard serial == self.serial, let source else { return }
        source.isBusy = false
        switch piece {
        case .success(let bytes?):
            source.frame(bytes, into: &outgoing)
        case .success(nil):
            source.end(into: &outgoing)
            self.source = nil
        case .failure:
            tape_drop(socket)
            return
        }
        tape_timeout(socket, Timeout.progress)
        tape_want_write(socket)
    }

    func writable() -> Bool {
        guard case .answering = phase else { return true }
        while !outgoing.isEmpty {
            if tape_is_choked(socket) {
                tape_want_write(socket)
                pull()
                return true
            }
            guard outgoing.take(tape_chunk, { tape_write(socket, nil, 0, $0.baseAddress, $0.count) }) else {
                return false
            }
            tape_timeout(socket, Timeout.progress)
        }
        if source != nil {
            pull()
            return true
        }
        if tape_is_choked(socket) {
            tape_want_write(socket)
            return true
        }
        if isClosing {
            phase = .over
            tape_finish(socket)
            return true
        }
        phase = .idle
        tape_timeout(socket, input.isEmpty ? Timeout.idle : Timeout.head)
        tape_read(socket, true)
        // In a turn of its own: a peer that has sent a thousand requests at once leaves room for others.
        if !input.isEmpty { site.loop.execute { [bound = LoopBound(self)] in bound.value.readRequests() } }
        return true
    }

    func gone(error: String?) {
        abandoned.withLock { $0 = true }
        if case .taking(let intake) = phase { intake.abandon() }
        // Who takes holds the exchange, which leads back here.
        phase = .over
        serial += 1
        source = nil
        outgoing = Outgoing()
        input = []
        site.exit(peer)
    }

    /// Writes at once, for what comes before or instead of an answer.
    private func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { tape_write(socket, nil, 0, $0.baseAddress, $0.count) }
    }
}
