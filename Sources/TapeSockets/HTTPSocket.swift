internal import CTapeSockets
import Foundation

/// The HTTP side of one TCP connection: requests one after the other. On the loop's thread only.
final class HTTPSocket: SocketOwner {
    private enum Phase {
        case idle
        /// The body comes in.
        case reading(HTTPRequest)
        /// The body goes to its taker as it comes in.
        case taking(HTTPIntake)
        /// The service has the exchange.
        case waiting
        /// The answer goes out.
        case answering
        /// The answer is out, and the connection ends with the rest of the body: a peer that is still sending would lose
        /// an answer that was followed by a reset.
        case discarding
    }

    let socket: OpaquePointer
    let site: Site
    let peer: String
    private var isGone = false
    private var phase = Phase.idle
    /// Tells an exchange from the ones before on this connection.
    private var serial = 0
    private var body: [UInt8] = []
    /// Bytes of a taken body that have not come yet.
    private var rest = 0
    private var hadBody = false
    private var isHead = false
    private var isClosing = false
    private var outgoing = Outgoing()
    private var source: HTTPSource?

    init(_ socket: OpaquePointer, at site: Site) {
        self.socket = socket
        self.site = site
        peer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            tape_peer(socket, buffer.baseAddress)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    // MARK: Request

    func begin() {
        serial += 1
        hadBody = false
        rest = 0
        isClosing = !tape_is_http11(socket)
        guard let request = HTTPHead.read(socket, peer: peer) else {
            return refuse(HTTPResponse(status: 400, "The request is malformed."), closing: true)
        }
        isHead = request.method == "HEAD"
        switch request.headers["connection"]?.lowercased() {
        case "close": isClosing = true
        case "keep-alive": isClosing = false
        default: break
        }
        let waitsForConsent = request.headers["expect"]?.lowercased() == "100-continue"
        if let refusal = site.service.admit(request) { return refuse(refusal, closing: waitsForConsent) }
        guard request.headers["transfer-encoding"] == nil else {
            return refuse(HTTPResponse(status: 411, "A body needs its content-length."), closing: true)
        }
        guard let given = request.headers["content-length"] else {
            // libwebsockets would go on waiting for a body on this connection.
            if ["POST", "PUT", "PATCH"].contains(request.method) { isClosing = true }
            return deliver(request)
        }
        guard let length = Int(given), length >= 0, given.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return refuse(HTTPResponse(status: 400, "The content-length is no number."), closing: true)
        }
        let intake = site.service.intake(request)
        let limit = intake?.limit ?? site.options.maxBody
        guard length <= limit else {
            return refuse(HTTPResponse(status: 413, "A body may have \(limit) bytes."), closing: waitsForConsent)
        }
        guard length > 0 else { return deliver(request) }
        if waitsForConsent { write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        if let intake {
            rest = length
            phase = .taking(self.intake(request, intake))
        } else {
            body.reserveCapacity(length)
            phase = .reading(request)
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        rest = max(0, rest - bytes.count)
        switch phase {
        case .reading: body.append(contentsOf: bytes)
        case .taking(let intake): take(bytes, intake)
        // What belongs to a refused request is read and forgotten.
        case .idle, .waiting, .answering, .discarding: break
        }
    }

    func endBody() {
        switch phase {
        case .reading(let request): deliver(request)
        case .taking(let intake):
            hadBody = true
            wait()
            intake.end()
        case .discarding: tape_want_write(socket)
        // libwebsockets took a request that came before this answer for more of the body. The peer has to ask again.
        case .waiting, .answering: isClosing = isClosing || hadBody
        case .idle: break
        }
    }

    private func deliver(_ request: HTTPRequest) {
        wait()
        hadBody = !body.isEmpty
        if let intake = site.service.intake(request) {
            self.intake(request, intake).end()
        } else {
            site.service.handle(exchange(request))
        }
    }

    /// Until the answer goes out nothing is read: libwebsockets would spin on what a peer sends meanwhile.
    private func wait() {
        phase = .waiting
        tape_read(socket, false)
        tape_http_timeout(socket, 0)
    }

    private func exchange(_ request: HTTPRequest) -> HTTPExchange {
        let bound = LoopBound(self)
        defer { body = [] }
        return HTTPExchange(request: request, body: body) { [serial, loop = site.loop] answer in
            loop.execute { bound.value.answer(answer, to: serial) }
        }
    }

    private func intake(_ request: HTTPRequest, _ intake: BodyIntake) -> HTTPIntake {
        HTTPIntake(intake.begin(exchange(request)), loop: site.loop) { [weak self, serial] in self?.relieved(serial) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ intake: HTTPIntake) {
        intake.receive(bytes)
        guard intake.isFull else { return }
        tape_read(socket, false)
        // libwebsockets sets its own timeout after this callback. A slow taker is no reason to drop the peer.
        let bound = LoopBound(self)
        site.loop.execute { [serial] in bound.value.pause(serial) }
    }

    private func pause(_ serial: Int) {
        guard !isGone, serial == self.serial, case .taking(let intake) = phase, intake.isFull else { return }
        tape_http_timeout(socket, 0)
    }

    private func relieved(_ serial: Int) {
        guard !isGone, serial == self.serial, case .taking = phase else { return }
        tape_http_timeout(socket, 30)
        tape_read(socket, true)
    }

    /// Answers before the body has come.
    private func refuse(_ response: HTTPResponse, closing: Bool) {
        if closing { isClosing = true }
        phase = .answering
        send(response)
    }

    // MARK: Answer

    private func answer(_ answer: HTTPAnswer, to serial: Int) {
        guard !isGone, serial == self.serial else { return }
        switch phase {
        case .waiting, .taking: phase = .answering
        case .idle, .reading, .answering, .discarding: return
        }
        tape_read(socket, true)
        switch answer {
        case .whole(let response): send(response)
        case .stream(let head, let next): stream(head, next)
        }
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
        let isChunked = !isMeasured && tape_is_http11(socket)
        if isChunked { head.headers.append(("transfer-encoding", "chunked")) }
        if !isMeasured, !isChunked { isClosing = true }
        sendHead(head)
        if !isHead { source = HTTPSource(isChunked: isChunked, next: next) }
        tape_want_write(socket)
    }

    private func sendHead(_ head: HTTPResponseHead) {
        var head = head
        if isClosing { head.headers.append(("connection", "close")) }
        outgoing.append(head.bytes)
        tape_http_timeout(socket, 30)
    }

    /// Has the next piece made while the last one goes out.
    private func pull() {
        guard let source, !source.isBusy, outgoing.count < tape_chunk else { return }
        source.isBusy = true
        // A slow source is no reason to drop the peer.
        if outgoing.isEmpty { tape_http_timeout(socket, 0) }
        let next = source.next
        let bound = LoopBound(self)
        DispatchQueue.global().async { [serial, loop = site.loop] in
            let piece = Result { try next() }
            loop.execute { bound.value.pulled(piece, for: serial) }
        }
    }

    private func pulled(_ piece: Result<[UInt8]?, any Error>, for serial: Int) {
        guard !isGone, serial == self.serial, let source else { return }
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
        tape_http_timeout(socket, 30)
        tape_want_write(socket)
    }

    func writable() -> Bool {
        if case .discarding = phase { return rest > 0 }
        guard case .answering = phase else { return true }
        while !outgoing.isEmpty {
            guard outgoing.take(tape_chunk, { tape_write(socket, $0.baseAddress, $0.count) }) else { return false }
            tape_http_timeout(socket, 30)
            if tape_is_choked(socket) {
                tape_want_write(socket)
                pull()
                return true
            }
        }
        if source != nil {
            pull()
            return true
        }
        if isClosing, rest > 0 {
            phase = .discarding
            return true
        }
        if isClosing { return false }
        phase = .idle
        return tape_http_done(socket)
    }

    func gone(error: String?) {
        isGone = true
        if case .taking(let intake) = phase { intake.abandon() }
        // Who takes holds the exchange, which leads back here.
        phase = .idle
        source = nil
        outgoing = Outgoing()
    }

    /// Writes at once, for what comes before or instead of an answer.
    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { tape_write(socket, $0.baseAddress, $0.count) }
    }
}
