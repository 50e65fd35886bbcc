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

    @Test("A request in two pieces, and two requests in one, are each answered")
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

    @Test("HEAD gets the headers and no body")
    func head() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("HEAD /abc HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = try #require(Answer(socket.receiveAll()))
            #expect(answer.length == 4)
            #expect(answer.body.isEmpty)
        }
    }

    @Test("A body of the limit is taken, one of a byte more gets 413")
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

    @Test("A refused body is neither waited for nor kept")
    func refusedBody() async throws {
        var service = Self.mirror
        service.admits = { $0.path == "/no" ? HTTPResponse(status: 403, body: [65]) : nil }
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
            #expect(socket.answer().status == 403)
            // A client that has sent it all goes on with the next request, on this connection or on a new one.
            let next = try RawSocket(port: listener.port)
            next.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
            #expect(next.answer().status == 403)
            next.send("GET /yes HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = next.answer()
            #expect(answer.text == "/yes" || answer.line.isEmpty)
        }
    }

    @Test("A chunked body is refused, since libwebsockets reads none")
    func chunked() async throws {
        try await listening(Self.mirror) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            let answer = socket.answer()
            #expect(answer.status == 411)
            #expect(answer.headers["connection"] == "close")
        }
    }

    @Test("`Expect: 100-continue` gets its consent, or at once the refusal")
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
        "What is no request is answered with 4xx or cut off",
        arguments: [
            "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\u{1}\u{2}\r\n\r\n",
            "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "c", count: 20_000))\r\n\r\n",
        ])
    func malformed(_ text: String) async throws {
        let service = TestService(handles: { $0.respond(HTTPResponse(status: 200, body: [65])) })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(text)
            socket.finish()
            let answer = socket.answer()
            #expect(answer.line.isEmpty || (400..<500).contains(answer.status), "\(answer)")
            // Others are served as before.
            let good = try RawSocket(port: listener.port)
            #expect(good.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "A")
        }
    }

    @Test("The query comes decoded, in order, with repeated and empty names")
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

    @Test("A line break in a header's value begins no other header")
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
