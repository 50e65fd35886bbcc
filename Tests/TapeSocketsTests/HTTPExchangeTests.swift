import TapeFormat
import Testing

@testable import TapeSockets

@Suite("HTTPExchange", .timeLimit(.minutes(1)))
struct HTTPExchangeTests {
    /// Produces pieces of 256 KiB and counts them.
    private static func pieces(_ count: Int, then end: (any Error)? = nil, counting made: Locked<Int>)
        -> @Sendable () throws -> [UInt8]?
    {
        {
            let number = made.withLock { made in
                made += 1
                return made
            }
            if number <= count { return [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 256 << 10) }
            if let end { throw end }
            return nil
        }
    }

    private struct Broken: Error {}

    @Test("An exchange can be answered later from another thread; only the first answer is sent")
    func later() async throws {
        let (exchanges, put) = AsyncStream.makeStream(of: HTTPExchange.self)
        try await listening(TestService(handles: { put.yield($0) })) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            var iterator = exchanges.makeAsyncIterator()
            let exchange = await iterator.next()
            exchange?.respond(HTTPResponse(status: 200, body: [65]))
            exchange?.respond(HTTPResponse(status: 500, body: [66]))
            let answer = socket.answer()
            #expect(answer.status == 200 && answer.text == "A")
        }
    }

    @Test("An exchange knows that its peer disconnected before the answer")
    func left() async throws {
        let (exchanges, put) = AsyncStream.makeStream(of: HTTPExchange.self)
        try await listening(TestService(handles: { put.yield($0) })) { listener, _ in
            var iterator = exchanges.makeAsyncIterator()
            let staying = try RawSocket(port: listener.port)
            staying.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let kept = await iterator.next()
            var leaving: RawSocket? = try RawSocket(port: listener.port)
            leaving?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let exchange = try #require(await iterator.next())
            #expect(!exchange.isPeerGone && !exchange.passing { _ in }.isPeerGone)
            leaving = nil
            while !exchange.isPeerGone { await Task.yield() }
            #expect(kept?.isPeerGone == false)
            kept?.respond(HTTPResponse(status: 200, body: [65]))
            #expect(staying.answer().text == "A")
        }
    }

    @Test("An exchange that is released without an answer sends 500")
    func forgotten() async throws {
        try await listening(TestService(handles: { _ in })) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            #expect(socket.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 500)
        }
    }

    @Test("A streamed answer of unknown length is sent chunked, and the connection stays open")
    func chunked() async throws {
        let service = TestService(handles: { exchange in
            let made = Locked(0)
            exchange.stream(status: 200, headers: [], next: Self.pieces(4, counting: made))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            for _ in 0..<2 {
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                var expected: [UInt8] = []
                for number in UInt8(1)...4 {
                    expected += Array("40000\r\n".utf8) + [UInt8](repeating: number, count: 256 << 10) + [13, 10]
                }
                var bytes = socket.head()
                #expect(bytes.headers["transfer-encoding"] == "chunked" && bytes.length == nil)
                bytes.body += socket.exactly(expected.count + 5 - bytes.body.count)
                #expect(bytes.body == expected + Array("0\r\n\r\n".utf8))
            }
        }
    }

    @Test("To HTTP/1.0 a streamed answer is sent unchunked, and the connection closes after it")
    func plain() async throws {
        let service = TestService(handles: { exchange in
            exchange.stream(status: 200, headers: [], next: Self.pieces(3, counting: Locked(0)))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("GET / HTTP/1.0\r\n\r\n")
            let answer = try #require(Answer(socket.receiveAll()))
            #expect(answer.body.count == 3 * 256 << 10 && answer.headers["transfer-encoding"] == nil)
        }
    }

    @Test("A source is pulled only as the socket drains, and other clients are served meanwhile")
    func pulled() async throws {
        let made = Locked(0)
        let total = 400  // 100 MiB, far more than the system's buffers
        let service = TestService(handles: { exchange in
            guard exchange.request.path == "/large" else { return exchange.respond(HTTPResponse(status: 204)) }
            exchange.stream(
                status: 200, headers: [("content-length", "\(total * 256 << 10)")],
                next: Self.pieces(total, counting: made))
        })
        try await listening(service) { listener, _ in
            let slow = try RawSocket(port: listener.port, receiveBuffer: 16 << 10)
            slow.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            var rest = slow.head().body.count
            let other = try RawSocket(port: listener.port)
            // Wait until the source pauses for long enough that others are served.
            var (before, still) = (-1, 0)
            while still < 200 {
                other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(other.answer(toHead: true).status == 204)
                let now = made.withLock { $0 }
                still = now == before ? still + 1 : 0
                before = now
            }
            #expect(before < total / 2)
            while case let piece = slow.receive(), !piece.isEmpty { rest += piece.count }
            #expect(rest == total * 256 << 10)
        }
    }

    @Test("A source that fails cuts the body off, chunked or with a length", arguments: [true, false])
    func failure(isChunked: Bool) async throws {
        let service = TestService(handles: { exchange in
            let length = isChunked ? [] : [("content-length", "\(4 * 256 << 10)")]
            exchange.stream(
                status: 200, headers: length, next: Self.pieces(2, then: Broken(), counting: Locked(0)))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let bytes = socket.receiveAll()
            #expect(Answer(bytes)?.status == 200)
            #expect(bytes.count < 3 * 256 << 10)
            #expect(bytes.suffix(5) != Array("0\r\n\r\n".utf8)[...])
        }
    }

    @Test("A source is released once its peer disconnects")
    func abandoned() async throws {
        final class Held: Sendable {
            let end: AsyncStream<Void>.Continuation
            init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
            deinit { end.yield() }
        }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let service = TestService(handles: { exchange in
            let held = Held(end)
            exchange.stream(status: 200, headers: []) {
                withExtendedLifetime(held) { [UInt8](repeating: 0, count: 64 << 10) }
            }
        })
        try await listening(service) { listener, _ in
            do {
                let socket = try RawSocket(port: listener.port)
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(socket.exactly(100_000).count == 100_000)
            }
            for await _ in ends { break }
        }
    }
}
