import Foundation
import Testing

@testable import TapeSockets

@Suite("HTTPSocket", .timeLimit(.minutes(1)))
struct HTTPSocketTests {
    private static let mirror = TestService(handles: { exchange in
        exchange.respond(HTTPResponse(status: 200, body: Array(exchange.request.path.utf8) + exchange.body))
    })

    @Test("A request is answered and the connection stays open for the next one")
    func keepAlive() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            for path in ["/one", "/two", "/three"] {
                let answer = socket.ask("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.line == "HTTP/1.1 200 OK")
                #expect(answer.text == path)
            }
        }
    }

    @Test("A request in two pieces, and two requests in one piece, are each answered")
    func pieces() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-")
            #expect(socket.ask("Length: 3\r\n\r\nxyz").text == "/axyz")
            let both = try RawSocket(port: listener.port)
            both.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = String(decoding: both.receiveAll(), as: UTF8.self)
            #expect(text.contains("\r\n\r\n/bHTTP/1.1 200 OK"))
            #expect(text.hasSuffix("\r\n\r\n/c"))
        }
    }

    @Test("HTTP/1.0 and `Connection: close` end the connection after the answer")
    func closing() async throws {
        try await listening(Self.mirror) { listener, _ in
            for head in ["GET /x HTTP/1.0\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] {
                let socket = try RawSocket(port: listener.port)
                socket.send(head)
                let answer = try #require(Answer(socket.receiveAll()))
                #expect(answer.text == "/x")
                #expect(answer.headers["connection"] == "close")
            }
        }
    }

    @Test("An HTTP/1.0 client gets keep-alive in the answer, and no interim answer")
    func old() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            for body in ["a", "bc"] {
                let answer = socket.ask(
                    "POST / HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\nContent-Length: \(body.count)\r\n"
                        + "\r\n\(body)")
                #expect(answer.line == "HTTP/1.1 200 OK" && answer.text == "/\(body)")
                #expect(answer.headers["connection"] == "keep-alive")
            }
        }
    }

    @Test("A peer that disconnects before a delayed answer or close counts for its address until that is due")
    func impatient() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        var service = TestService.accepting(Dismissing(ask))
        service.handles = { $0.respond(HTTPResponse(status: 200)) }
        service.admits = { request in
            guard request.path == "/no" else { return nil }
            ask.yield()
            var response = HTTPResponse(status: 401)
            response.delay = .seconds(1)
            return response
        }
        var options = Listener.Options()
        options.maxLocal = 1
        for request in ["GET /no HTTP/1.1\r\nHost: a\r\n\r\n", Upgrading.request] {
            try await listening(service, options: options) { listener, _ in
                let begin = ContinuousClock.now
                var guesser: RawSocket? = try RawSocket(port: listener.port)
                guesser?.send(request)
                for await _ in asked { break }
                guesser?.breakOff()
                guesser = nil
                // Retried: each try is answered at once, and refused while the first connection counts.
                var status = 0
                while status != 200 {
                    try Task.checkCancellation()
                    status = try RawSocket(port: listener.port).ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status
                }
                #expect(ContinuousClock.now - begin >= .seconds(1))
            }
        }
    }

    @Test("HEAD gets the headers without a body")
    func head() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("HEAD /abc HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = try #require(Answer(socket.receiveAll()))
            #expect(answer.length == 4)
            #expect(answer.body.isEmpty)
        }
    }

    @Test("A body of exactly the limit is accepted, one byte more gets 413")
    func bodyLimit() async throws {
        var options = Listener.Options()
        options.maxBody = 100_000
        try await listening(Self.mirror, options: options) { listener, _ in
            let body = [UInt8](repeating: 7, count: 100_000)
            let socket = try RawSocket(port: listener.port)
            socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            socket.send(body)
            #expect(socket.answer().body.count == 100_001)

            let other = try RawSocket(port: listener.port)
            other.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n")
            other.send(body + [7])
            #expect(other.answer().status == 413)
        }
    }

    @Test("The server neither waits for nor stores a refused body")
    func refusedBody() async throws {
        var service = Self.mirror
        service.admits = { $0.path == "/no" ? HTTPResponse(status: 403, body: [65]) : nil }
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
            #expect(socket.answer().status == 403)
            // A client that has sent all of it sends its next request on this or on a new connection.
            let next = try RawSocket(port: listener.port)
            next.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
            #expect(next.answer().status == 403)
            next.send("GET /yes HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = next.answer()
            #expect(answer.text == "/yes" || answer.line.isEmpty)
        }
    }

    @Test("A chunked body is refused")
    func chunked() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            let answer = socket.answer()
            #expect(answer.status == 411)
            #expect(answer.headers["connection"] == "close")
        }
    }

    @Test("`Expect: 100-continue` gets 100 or the refusal at once")
    func consent() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(socket.answer(toHead: true).line == "HTTP/1.1 100 Continue")
            #expect(socket.ask("hi").text == "/ahi")
            let other = try RawSocket(port: listener.port)
            let size = (16 << 20) + 1
            let answer = other.ask(
                "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.status == 413)
        }
    }

    @Test(
        "An invalid request gets a complete answer and ends its connection; others are still served",
        arguments: [
            ("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET\r\n\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("\0\u{1}\u{2}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\n\n", 400),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "c", count: 20_000))\r\n\r\n", 431),
        ] as [(String, Int)])
    func malformed(_ text: String, status: Int) async throws {
        let service = TestService(handles: { $0.respond(HTTPResponse(status: 200, body: [65])) })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let answer = socket.ask(text)
            #expect(answer.line.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.headers["connection"] == "close" && answer.length == answer.body.count)
            #expect(socket.receiveAll().isEmpty)
            let good = try RawSocket(port: listener.port)
            #expect(good.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "A")
        }
    }

    @Test("Pipelined requests with bodies are each read correctly", arguments: [1, 7, 10_000])
    func pipelinedBodies(step: Int) async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let get = "GET /g HTTP/1.1\r\nHost: a\r\n\r\n"
            let post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
            let last = "POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nConnection: close\r\n\r\n."
            let all = Array((get + post + get + post + post + last).utf8)
            for start in stride(from: 0, to: all.count, by: step) {
                socket.send(Array(all[start..<min(start + step, all.count)]))
            }
            let text = String(decoding: socket.receiveAll(), as: UTF8.self)
            let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst()
                .map { $0.components(separatedBy: "HTTP/1.1")[0] }
            #expect(bodies == ["/g", "/p{}", "/g", "/p{}", "/p{}", "/l."])
        }
    }

    @Test("The body of a refused request is not read as a request, and a thousand requests at once are answered")
    func smuggled() async throws {
        var service = Self.mirror
        service.admits = { $0.path == "/no" ? HTTPResponse(status: 403, body: [65]) : nil }
        try await listening(service) { listener, _ in
            let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
            let socket = try RawSocket(port: listener.port)
            socket.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)")
            socket.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = String(decoding: socket.receiveAll(), as: UTF8.self)
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 3)
            #expect(text.hasSuffix("/last") && !text.contains("/hidden"))
            let many = try RawSocket(port: listener.port)
            many.send(String(repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000))
            many.send("GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answers = String(decoding: many.receiveAll(), as: UTF8.self)
            #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 1_002)
            #expect(answers.hasSuffix("/end"))
        }
    }

    @Test("A body that is too slow gets 408, collected or in pieces; a fast one is accepted")
    func slowBody() async throws {
        var options = Listener.Options()
        options.bodyWindow = .milliseconds(200)
        options.minBodyRate = 1_000
        final class Taker: BodyConsumer {
            let exchange: HTTPExchange
            let broken: AsyncStream<Void>.Continuation
            init(_ exchange: HTTPExchange, _ broken: AsyncStream<Void>.Continuation) {
                (self.exchange, self.broken) = (exchange, broken)
            }
            func take(_ piece: [UInt8]) {}
            func end() {}
            func peerDisconnected() { broken.yield() }
        }
        let (ends, broken) = AsyncStream.makeStream(of: Void.self)
        var service = Self.mirror
        service.intakes = { $0.path == "/taken" ? BodyIntake(limit: 1 << 20) { Taker($0, broken) } : nil }
        try await listening(service, options: options) { listener, _ in
            for path in ["/gathered", "/taken"] {
                let socket = try RawSocket(port: listener.port)
                let answer = socket.ask("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx")
                #expect(answer.status == 408 && answer.headers["connection"] == "close")
                #expect(answer.text.contains("1000 bytes"))
            }
            for await _ in ends { break }
        }
    }

    @Test("A delayed answer is sent later, ends the connection, and delays nobody else")
    func delayed() async throws {
        var service = Self.mirror
        service.admits = { request in
            guard request.path == "/wrong" else { return nil }
            var response = HTTPResponse(status: 401, body: [65])
            response.delay = .milliseconds(300)
            return response
        }
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let start = ContinuousClock.now
            socket.send("POST /wrong HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let other = try RawSocket(port: listener.port)
            #expect(other.ask("GET /other HTTP/1.1\r\nHost: a\r\n\r\n").text == "/other")
            #expect(socket.answer().status == 401)
            #expect(.now - start >= .milliseconds(250))
            #expect(socket.receiveAll().isEmpty)
        }
    }

    @Test("The query is decoded, in order, with repeated and empty names")
    func query() async throws {
        let service = TestService(handles: { exchange in
            let text = exchange.request.query.map { "[\($0.name)|\($0.value)]" }.joined()
            exchange.respond(HTTPResponse(status: 200, body: Array(text.utf8)))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let query = "a=1&b=x%26y%3Dz&a=2&flag&e=&u=%C3%A9&s=a+b&comma=1,2&eq=1=2"
            let answer = socket.ask("GET /?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.text == "[a|1][b|x&y=z][a|2][flag|][e|][u|é][s|a b][comma|1,2][eq|1=2]")
        }
    }

    @Test("A line break in a header's value starts no other header")
    func injection() async throws {
        let service = TestService(handles: {
            $0.respond(HTTPResponse(status: 200, headers: [("x-name", "a\r\nset-cookie: b\nc")], body: [65]))
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let answer = socket.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.headers["set-cookie"] == nil)
            #expect(answer.headers["x-name"] == "a set-cookie: b c")
        }
    }
}

/// Closes every connection one second after it opens.
private final class Dismissing: ConnectionHandler, Sendable {
    private let open: AsyncStream<Void>.Continuation

    init(_ open: AsyncStream<Void>.Continuation) { self.open = open }

    func opened(_ connection: Connection) {
        connection.close(after: .seconds(1), sending: [], code: 4001, reason: "no")
        open.yield()
    }
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {}
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {}
}
