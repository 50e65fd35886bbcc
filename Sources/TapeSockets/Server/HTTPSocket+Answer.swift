internal import CTapeSockets

extension HTTPSocket {
    /// Bytes of a refused body that are read and ignored, to keep the connection. With a longer body the connection
    /// closes.
    private static let maxDiscarded = 64 << 20

    /// Answers before the whole body has arrived.
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

    func answer(_ answer: HTTPAnswer, to serial: Int) {
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
        heldUntil = .now + response.delay
        schedule(after: response.delay) { socket in
            var response = response
            response.delay = .zero
            socket.answer(.whole(response), to: serial)
        }
    }

    private func send(_ response: HTTPResponse) {
        let response = context.service.worded(response)
        var headers = response.headers
        if response.status != 204, response.status != 304 {
            headers.append(("content-length", "\(response.body.count)"))
        }
        sendHead(HTTPResponseHead(status: response.status, headers: headers))
        if !isHead { outgoing.append(response.body) }
        held = response.held
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
        // Only sent if it isn't the default of the HTTP version.
        if isClosing || !isHTTP11 { head.headers.append(("connection", isClosing ? "close" : "keep-alive")) }
        outgoing.append(head.bytes)
        // Keep reading: a peer may only read the answer after it has sent its whole body.
        tape_read(socket, rest > 0)
        tape_timeout(socket, Timeout.progress)
    }

    /// Starts producing the next piece while the last one is being sent.
    private func pull() {
        guard let source, outgoing.count < tape_chunk else { return }
        // The peer must not be dropped because the source is slow.
        if outgoing.isEmpty, !tape_is_choked(socket) { tape_timeout(socket, 0) }
        guard !source.isBusy, let request else { return }
        source.isBusy = true
        checkPeerLater()
        let next = source.next
        let back = context.loop.back { [self, serial] in pulled($0, for: serial) }
        context.service.work(for: request) { back(Result { try next() }) }
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
        (held, request) = (nil, nil)
        if isClosing {
            phase = .over
            tape_finish(socket)
            return true
        }
        phase = .idle
        tape_timeout(socket, input.isEmpty ? Timeout.idle : Timeout.head)
        tape_read(socket, true)
        // In a separate turn, so that a peer with a thousand pipelined requests doesn't delay others.
        if !input.isEmpty { context.loop.later { self.readRequests() } }
        return true
    }
}
