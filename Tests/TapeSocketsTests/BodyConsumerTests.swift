import Foundation
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("BodyConsumer", .timeLimit(.minutes(1)))
struct BodyTakerTests {
    /// Records its calls.
    private final class Taker: BodyConsumer {
        enum Event: Sendable {
            case began(HTTPExchange)
            case piece([UInt8])
            case ended, broken, released
        }

        private let exchange: HTTPExchange
        private let event: @Sendable (Event) -> Void

        init(_ exchange: HTTPExchange, _ event: @escaping @Sendable (Event) -> Void) {
            self.exchange = exchange
            self.event = event
            event(.began(exchange))
        }

        func take(_ piece: [UInt8]) { event(.piece(piece)) }
        deinit { event(.released) }

        func end() { event(.ended) }
        func peerDisconnected() { event(.broken) }
    }

    /// Answers POST with the number of bytes received, and their sum.
    private static let sums = service { exchange in
        let sum = Locked((count: 0, sum: 0))
        return Taker(exchange) { event in
            switch event {
            case .piece(let piece):
                sum.withLock { $0 = ($0.count + piece.count, piece.reduce($0.sum) { $0 &+ Int($1) }) }
            case .ended:
                let (count, sum) = sum.withLock { $0 }
                exchange.respond(HTTPResponse(status: 200, "\(count) \(sum)"))
            case .began, .broken, .released: break
            }
        }
    }

    private static func service(limit: Int = 1 << 30, _ begin: @escaping @Sendable (HTTPExchange) -> Taker)
        -> TestService
    {
        TestService(
            admits: { $0.path == "/closed" ? HTTPResponse(status: 401, "No.") : nil },
            handles: { $0.respond(HTTPResponse(status: 200, body: Array($0.request.path.utf8) + $0.body)) },
            intakes: { $0.method == "POST" ? BodyIntake(limit: limit, begin: begin) : nil })
    }

    /// Tells the events of its takers, which wait for a signal at each piece.
    private static func held(by mayTake: DispatchSemaphore) -> (TestService, AsyncStream<Taker.Event>) {
        let (events, put) = AsyncStream.makeStream(of: Taker.Event.self)
        let service = service { exchange in
            Taker(exchange) { event in
                put.yield(event)
                if case .piece = event { mayTake.wait() }
            }
        }
        return (service, events)
    }

    private static func post(_ count: Int, _ headers: String = "") -> String {
        "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\(headers)\r\n"
    }

    @Test("A body is processed piece by piece, beyond the limit of collected bodies, and the connection stays open")
    func pieces() async throws {
        var options = Listener.Options()
        options.maxBody = 1_000
        try await listening(Self.sums, options: options) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            for count in [1, 3 << 20, 700_001] {
                socket.send(Self.post(count))
                socket.send([UInt8](repeating: 3, count: count))
                #expect(socket.answer().text == "\(count) \(3 * count)\n")
            }
            #expect(socket.ask("GET /next HTTP/1.1\r\nHost: a\r\n\r\n").text == "/next")
        }
    }

    @Test("An empty body is complete at once", arguments: ["Content-Length: 0\r\n", ""])
    func empty(length: String) async throws {
        try await listening(Self.sums) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            #expect(socket.ask("POST /up HTTP/1.1\r\nHost: a\r\n\(length)\r\n").text == "0 0\n")
        }
    }

    @Test("A client that expects 100-continue gets it")
    func consent() async throws {
        try await listening(Self.sums) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Self.post(3, "Expect: 100-continue\r\n"))
            #expect(socket.exactly(25) == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            socket.send([1, 2, 3])
            #expect(socket.answer().text == "3 6\n")
        }
    }

    @Test("A body over the limit or without admission is refused before it is read")
    func refused() async throws {
        let begun = Locked(false)
        let service = Self.service(limit: 1_000) { exchange in
            begun.withLock { $0 = true }
            return Taker(exchange) { _ in }
        }
        try await listening(service) { listener, _ in
            for expects in ["", "Expect: 100-continue\r\n"] {
                let socket = try RawSocket(port: listener.port)
                let answer = socket.ask(Self.post(1_001, expects))
                #expect(answer.status == 413 && answer.text.contains("1000 bytes"))
                let other = try RawSocket(port: listener.port)
                let head = "POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\(expects)\r\n"
                #expect(other.ask(head).status == 401)
            }
            #expect(!begun.withLock { $0 })
        }
    }

    @Test("Reading pauses while the taker is busy, other clients are served, and nothing is lost")
    func pauses() async throws {
        let mayTake = DispatchSemaphore(value: 0)
        let (service, events) = Self.held(by: mayTake)
        try await listening(service) { listener, _ in
            let total = 100 << 20
            let sent = Locked(0)
            let socket = try RawSocket(port: listener.port)
            socket.send(Self.post(total))
            let sending = Task.detached { [socket = Held(socket)] in
                for _ in 0..<total >> 20 {
                    socket.value.send([UInt8](repeating: 1, count: 1 << 20))
                    sent.withLock { $0 += 1 }
                }
            }
            // Wait until the peer pauses for long enough that others are served.
            let other = try RawSocket(port: listener.port)
            var (before, still) = (-1, 0)
            while still < 200 {
                #expect(other.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "/")
                let now = sent.withLock { $0 }
                still = now == before ? still + 1 : 0
                before = now
            }
            #expect(before < total >> 21)
            var (count, exchange) = (0, HTTPExchange?.none)
            events: for await event in events {
                switch event {
                case .began(let begun): exchange = begun
                case .piece(let piece):
                    #expect(piece.count <= 1 << 20)
                    count += piece.count
                    mayTake.signal()
                case .ended: break events
                case .broken, .released: Issue.record("broken")
                }
            }
            #expect(count == total)
            await sending.value
            exchange?.respond(HTTPResponse(status: 204))
            #expect(socket.answer(toHead: true).status == 204)
        }
    }

    @Test(
        "A taker learns that its peer disconnected early, whether or not it reads, and is released",
        arguments: [true, false])
    func broken(isHeld: Bool) async throws {
        let mayTake = DispatchSemaphore(value: 0)
        if !isHeld { for _ in 0..<1_000 { mayTake.signal() } }
        let (service, events) = Self.held(by: mayTake)
        try await listening(service) { listener, _ in
            do {
                let socket = try RawSocket(port: listener.port)
                socket.send(Self.post(10 << 20))
                socket.send([UInt8](repeating: 1, count: 2 << 20))
            }
            if isHeld { for _ in 0..<1_000 { mayTake.signal() } }
            var isTold = false
            for await event in events {
                switch event {
                case .began, .piece: break
                case .ended: Issue.record("ended")
                case .broken: isTold = true
                case .released: return #expect(isTold)
                }
            }
        }
    }

    @Test("A slow taker gets all that arrived before it learns that its peer disconnected")
    func late() async throws {
        let mayTake = DispatchSemaphore(value: 0)
        let (service, events) = Self.held(by: mayTake)
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Self.post(1_000))
            socket.send([1])
            var taken: [UInt8] = []
            for await event in events {
                switch event {
                case .began: break
                case .piece(let piece):
                    taken += piece
                    if taken == [1] {
                        socket.send([2, 3])
                        socket.finish()
                        // Returns once the server has closed as well.
                        #expect(socket.receiveAll().isEmpty)
                    }
                    mayTake.signal()
                case .broken: #expect(taken == [1, 2, 3])
                case .ended: Issue.record("ended")
                case .released: return
                }
            }
        }
    }

    @Test("An early answer reaches a peer that continues to send", arguments: ["", "Connection: close\r\n"])
    func early(connection: String) async throws {
        let service = Self.service { exchange in
            Taker(exchange) { event in
                switch event {
                case .piece: exchange.respond(HTTPResponse(status: 409, "Enough."))
                case .began, .released: break
                case .ended, .broken: Issue.record("the exchange was answered")
                }
            }
        }
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Self.post(20 << 20, connection))
            #expect(socket.send([UInt8](repeating: 1, count: 20 << 20)))
            let answer = socket.answer()
            #expect(answer.status == 409 && answer.text == "Enough.\n")
            if connection.isEmpty {
                #expect(socket.ask("GET /next HTTP/1.1\r\nHost: a\r\n\r\n").text == "/next")
            } else {
                #expect(socket.receiveAll().isEmpty)
            }
        }
    }
}

/// A socket on which another task sends while this one waits.
private struct Held: @unchecked Sendable {  // sending and receiving on one descriptor don't meet
    let value: RawSocket

    init(_ value: RawSocket) {
        self.value = value
    }
}
