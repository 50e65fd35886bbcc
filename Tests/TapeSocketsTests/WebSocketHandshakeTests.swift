import TapeFormat
import Testing

@testable import TapeSockets

@Suite("WebSocket handshake", .timeLimit(.minutes(1)))
struct WebSocketHandshakeTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var line = "GET / HTTP/1.1"
        /// The headers that differ from a valid upgrade's; nil omits one.
        var changes: [String: String?] = [:]

        var request: String {
            let headers = Upgrading.headers.merging(changes) { $1 }
            return "\(line)\r\n" + headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
                + "\r\n"
        }
    }

    static let faults = [
        Fault(testDescription: "POST", status: 405, line: "POST / HTTP/1.1", changes: ["Content-Length": "0"]),
        Fault(testDescription: "HTTP/1.0", status: 505, line: "GET / HTTP/1.0"),
        Fault(testDescription: "version 8", status: 426, changes: ["Sec-WebSocket-Version": "8"]),
        Fault(testDescription: "no version", status: 426, changes: ["Sec-WebSocket-Version": nil]),
        Fault(testDescription: "no key", status: 400, changes: ["Sec-WebSocket-Key": nil]),
        Fault(testDescription: "short key", status: 400, changes: ["Sec-WebSocket-Key": "AAAA"]),
        Fault(testDescription: "no host", status: 400, changes: ["Host": nil]),
        Fault(testDescription: "unknown subprotocol", status: 400, changes: ["Sec-WebSocket-Protocol": "other.v1"]),
        Fault(testDescription: "no Connection", status: 400, changes: ["Connection": nil]),
        Fault(testDescription: "with a body", status: 400, changes: ["Content-Length": "5"]),
    ]

    @Test("A malformed upgrade is refused with a complete response", arguments: faults)
    func malformed(_ fault: Fault) async throws {
        try await listening(.echo()) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let answer = socket.ask(fault.request)
            #expect(answer.line.hasPrefix("HTTP/1.1 \(fault.status) "), "\(answer)")
            #expect(answer.length == answer.body.count && !answer.body.isEmpty)
            #expect(socket.receiveAll().isEmpty, "and then it is closed")
        }
    }

    @Test("The service's refusal arrives with its status, headers and body", arguments: [true, false])
    func refusal(byAdmit: Bool) async throws {
        let refusal = HTTPResponse(status: 403, headers: [("x-why", "closed today")], body: Array("Not today.".utf8))
        let service =
            byAdmit
            ? TestService(admits: { _ in refusal }, upgrades: { _, _ in .accept(subprotocol: "test.v1", Echo()) })
            : TestService(upgrades: { _, _ in .refuse(refusal) })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let answer = socket.ask(Upgrading.request)
            #expect(answer.line == "HTTP/1.1 403 Forbidden")
            #expect(answer.headers["x-why"] == "closed today")
            #expect(answer.headers["connection"] == "close")
            #expect(answer.text == "Not today.")
        }
    }

    @Test("The answer has the subprotocol that the service chose, wherever it is in the offer")
    func choice() async throws {
        let service = TestService(upgrades: { _, offered in .accept(subprotocol: offered.last ?? "", Echo()) })
        try await listening(service, subprotocols: ["test.v1", "test.v2"]) { listener, _ in
            for offer in ["test.v1, test.v2", "other, test.v2", "test.v2"] {
                let socket = try RawSocket(port: listener.port)
                socket.send(Upgrading.request(offering: offer))
                let answer = socket.answer(toHead: true)
                #expect(answer.status == 101)
                #expect(answer.headers["sec-websocket-protocol"] == "test.v2")
                #expect(answer.headers["sec-websocket-accept"] == Upgrading.accept)
            }
        }
    }

    @Test("The answer has no subprotocol if the client offers none and the service accepts that")
    func none() async throws {
        try await listening(.echo()) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Upgrading.request(offering: nil))
            let answer = socket.answer(toHead: true)
            #expect(answer.status == 101)
            #expect(answer.headers["sec-websocket-protocol"] == nil)
            socket.send(Upgrading.frame(Array("hi".utf8)))
            #expect(socket.exactly(4) == [0x82, 2] + Array("hi".utf8))
        }
    }

    @Test("An offer with an invalid name affects nobody else")
    func noToken() async throws {
        try await listening(.echo()) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Upgrading.request(offering: "http/1.1, test.v1"))
            #expect(socket.answer(toHead: true).status != 101)
            let good = try RawSocket(port: listener.port)
            good.send(Upgrading.request)
            #expect(good.answer(toHead: true).status == 101)
        }
    }

    @Test("The service receives the path, query and headers of an upgrade")
    func head() async throws {
        let seen = Locked<HTTPRequest?>(nil)
        let service = TestService(upgrades: { request, offered in
            seen.withLock { $0 = request }
            return .accept(subprotocol: offered[0], Echo())
        })
        try await listening(service) { listener, _ in
            let recorder = RecordingHandler()
            Client.connect(
                on: .clients, to: "ws://127.0.0.1:\(listener.port)/a%20b?token=x%26y&token=z", subprotocol: "test.v1",
                headers: [("Authorization", "Bearer t"), ("X-Bad", "a\r\nHost: evil")], handler: recorder)
            _ = try await recorder.opening()
            let request = try #require(seen.withLock { $0 })
            #expect(request.path == "/a b")
            #expect(request.query.map(\.name) == ["token", "token"])
            #expect(request.query.map(\.value) == ["x&y", "z"])
            #expect(request.headers["authorization"] == "Bearer t")
            #expect(request.headers["host"] == "127.0.0.1:\(listener.port)")
            #expect(request.peer == "127.0.0.1")
        }
    }

    @Test("An upgrade to another protocol is ignored", arguments: ["h2c", "foo"])
    func other(name: String) async throws {
        let service = TestService(handles: { $0.respond(HTTPResponse(status: 200, body: [65])) })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            let answer = socket.ask(
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
            #expect(answer.status == 200 && answer.text == "A")
        }
    }
}
