import Testing

@testable import TapeSockets

@Suite("Request head")
struct RequestHeadTests {
    private func read(_ text: String) -> RequestHead.Reading { RequestHead.read(Array(text.utf8), peer: "") }

    private func status(_ text: String) -> Int? {
        if case .refused(let response) = read(text) { response.status } else { nil }
    }

    private static let refusals: [(request: String, status: Int)] = [
        // The request line.
        ("GET / HTTP/1.2\r\n", 505), ("GET / HTTP/2.0\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("GET / HTTP/0.9\r\n", 505), ("GET /\r\n", 400), ("GET / http/1.1\r\n", 400), ("GET / HTTP/1.10\r\n", 400),
        ("GET / HTTP/1.1 \r\n", 400), ("GET  / HTTP/1.1\r\n", 400), (" GET / HTTP/1.1\r\n", 400),
        ("GET /\tHTTP/1.1\r\n", 400), ("GET / HTTP/1.1\n", 400), ("GET / HTTP/1.1\r\nHost: a\n\n", 400),
        ("G\"T / HTTP/1.1\r\n", 400), ("\u{16}\u{3}\u{1}", 400), ("GET x HTTP/1.1\r\n", 400),
        ("GET /#x HTTP/1.1\r\n", 400), ("GET /ä HTTP/1.1\r\n", 400), ("GET /%zz HTTP/1.1\r\n", 400),
        ("GET /%0 HTTP/1.1\r\n", 400), ("GET /%00 HTTP/1.1\r\n", 400), ("GET /%ff HTTP/1.1\r\n", 400),
        ("GET /?a=%00 HTTP/1.1\r\n", 400), ("GET http:// HTTP/1.1\r\n", 400), ("GET ftp://a/ HTTP/1.1\r\n", 400),
        ("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("CONNECT a:80 HTTP/1.1\r\n", 400), ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        // Headers.
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400),
        ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // Bodies whose end two readers might place differently.
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ]

    @Test("An invalid request is refused with its status", arguments: refusals)
    func refused(_ refusal: (request: String, status: Int)) {
        #expect(status(refusal.request) == refusal.status, "\(refusal.request)")
    }

    @Test("A request line or headers over the limit are refused with 414 and 431")
    func tooLong() {
        let long = String(repeating: "a", count: RequestHead.limit)
        #expect(status("GET /\(long)") == 414)
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)") == 431)
        let many = (0..<RequestHead.maxHeaders).map { "x-\($0): 1\r\n" }.joined()
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\n\(many)\r\n") == 431)
    }

    @Test("A query can have a limited number of parameters")
    func members() {
        let members = Array(repeating: "a=1", count: RequestLine.maxMembers).joined(separator: "&")
        #expect(status("GET /?\(members)&a=1 HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
        guard case .complete(let head, _) = read("GET /?\(members)& HTTP/1.1\r\nHost: a\r\n\r\n") else {
            Issue.record("refused")
            return
        }
        #expect(head.request.query.count == RequestLine.maxMembers)
    }

    @Test("Each line is read once: a head in single bytes takes no more work than in one piece")
    func once() {
        let head = "GET /?" + Array(repeating: "a=%41", count: 250).joined(separator: "&") + " HTTP/1.1\r\nHost: a\r\n"
        let bytes = Array((head + "X: " + String(repeating: "x", count: RequestHead.limit - head.utf8.count - 4)).utf8)
        var reader = RequestHeadReader()
        for count in 1..<bytes.count {
            guard case .incomplete = reader.read(Array(bytes[..<count]), peer: "") else {
                Issue.record("not incomplete after \(count) bytes")
                return
            }
        }
    }

    @Test("A head is read the same wherever the bytes are cut")
    func whole() throws {
        let text =
            "\r\nPOST /a%20b+c?x=1+2&y=%26&flag HTTP/1.1\r\nHOST: [::1]:80\r\nX-Two: a\r\ncontent-length:\t5 \r\n"
            + "x-two:  b\tc \r\nCookie: a=1\r\ncookie: b=2\r\nX-Empty:\r\n\r\n"
        for count in 0..<text.utf8.count {
            guard case .incomplete = RequestHead.read(Array(text.utf8.prefix(count)), peer: "") else {
                Issue.record("complete after \(count) bytes")
                return
            }
        }
        var reader = RequestHeadReader()
        var pieces: [Int] = []
        for count in 1...text.utf8.count {
            if case .complete(_, let end) = reader.read(Array(text.utf8.prefix(count)), peer: "") { pieces.append(end) }
        }
        #expect(pieces == [text.utf8.count], "byte by byte it is the same")
        guard case .complete(let head, let count) = read(text + "hello") else {
            Issue.record("not complete")
            return
        }
        #expect(count == text.utf8.count && head.bodyLength == 5 && head.isHTTP11)
        let request = head.request
        #expect(request.method == "POST" && request.path == "/a b+c")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["x=1 2", "y=&", "flag="])
        #expect(request.headers["host"] == "[::1]:80" && request.headers["x-two"] == "a, b\tc")
        #expect(request.headers["cookie"] == "a=1; b=2" && request.headers["x-empty"]?.isEmpty == true)
    }

    @Test("HTTP/1.0 needs no Host, and a target can contain the host")
    func variants() {
        guard case .complete(let old, _) = read("GET / HTTP/1.0\r\n\r\n") else {
            Issue.record("HTTP/1.0 is refused")
            return
        }
        #expect(!old.isHTTP11)
        for target in ["http://a:1/x?y", "HTTPS://a:1/x?y"] {
            guard case .complete(let head, _) = read("GET \(target) HTTP/1.1\r\nHost: a:1\r\n\r\n") else {
                Issue.record("\(target) is refused")
                return
            }
            #expect(head.request.path == "/x" && head.request.query.first?.name == "y")
        }
    }
}
