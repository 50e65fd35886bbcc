#if Server
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
        enum Timeout {
            static let idle: Int32 = 60
            static let head: Int32 = 20
            static let progress: Int32 = 30
        }

        let socket: OpaquePointer
        let context: ListenerContext
        let peer: String
        var phase = Phase.idle
        /// What was read and belongs to the next request.
        var input: [UInt8] = []
        private var head = RequestHeadReader()
        /// Tells an exchange from the ones before on this connection.
        var serial = 0
        /// Of the exchange that the service has: whether nobody waits for its answer.
        private var abandoned = Locked(false)
        private var isLooking = false
        /// When a delayed answer goes out.
        var heldUntil: ContinuousClock.Instant?
        var body: [UInt8] = []
        /// Bytes of the body that have not come yet.
        var rest = 0
        var isHead = false
        var isHTTP11 = true
        var isClosing = false
        var pace = BodyPace()
        var outgoing = Outgoing()
        var source: HTTPSource?

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

        /// Begins the next request if its head is there.
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

        func deliver(_ request: HTTPRequest) {
            wait()
            if let intake = context.service.intake(request) {
                self.intake(request, intake).end()
            } else {
                context.service.handle(exchange(request))
            }
        }

        /// Until the answer goes out nothing is read: the peer's next requests wait at the peer.
        func wait() {
            phase = .waiting
            tape_read(socket, false)
            tape_timeout(socket, 0)
            lookLater()
        }

        /// Looks now and then whether the peer still waits: as nothing is read, its leaving goes unnoticed else.
        func lookLater() {
            guard !isLooking else { return }
            isLooking = true
            schedule(after: .milliseconds(250)) { $0.look() }
        }

        private func look() {
            isLooking = false
            switch phase {
            case .waiting: break
            case .answering where source?.isBusy == true: break
            default: return
            }
            if tape_has_left(socket) { abandoned.withLock { $0 = true } } else { lookLater() }
        }

        func exchange(_ request: HTTPRequest) -> HTTPExchange {
            let bound = LoopBound(self)
            defer { body = [] }
            abandoned = Locked(false)
            return HTTPExchange(request: request, body: body, gone: abandoned) { [serial, loop = context.loop] answer in
                loop.execute { bound.value.answer(answer, to: serial) }
            }
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
            context.exit(peer, notBefore: heldUntil)
        }

        /// Runs `body` later, unless the socket is gone by then.
        func schedule(after delay: Duration, _ body: @escaping @Sendable (HTTPSocket) -> Void) {
            let held = LoopBound(Weak(socket: self))
            context.loop.schedule(after: delay) {
                if let socket = held.value.socket { body(socket) }
            }
        }

        private struct Weak {
            weak var socket: HTTPSocket?
        }

        /// Writes at once, for what comes before or instead of an answer.
        func write(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { tape_write(socket, nil, 0, $0.baseAddress, $0.count) }
        }
    }
#endif
