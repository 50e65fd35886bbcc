import TapeSockets
import Testing

@Suite("Routes", .timeLimit(.minutes(1)))
struct RoutesTests {
    private func ask(_ requests: [String]) async throws -> [Answer] {
        var routes = Routes()
        routes.on("GET", "/sessions/{id}/events") { exchange, values in
            exchange.respond(HTTPResponse(status: 200, body: Array("events of \(values["id"] ?? "")".utf8)))
        }
        routes.on("POST", "/sessions/{id}/events") { exchange, _ in exchange.respond(HTTPResponse(status: 201)) }
        routes.on("DELETE", "/sessions/{id}") { exchange, _ in exchange.respond(HTTPResponse(status: 204)) }
        let service = TestService(handles: { [routes] exchange in
            if !routes.handle(exchange) { exchange.respond(HTTPResponse(status: 404)) }
        })
        var answers: [Answer] = []
        try await listening(service) { listener, _ in
            for request in requests {
                let socket = try RawSocket(port: listener.port)
                socket.send("\(request) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                answers.append(Answer(socket.receiveAll()) ?? .none)
            }
        }
        return answers
    }

    @Test("A route is found by method and path, with the decoded values of its names")
    func found() async throws {
        let answers = try await ask(["GET /sessions/a%20b/events", "POST /sessions/x/events", "DELETE /sessions/x"])
        #expect(answers.map(\.status) == [200, 201, 204])
        #expect(answers[0].text == "events of a b")
        #expect(answers[2].length == nil)
    }

    @Test("HEAD is answered like GET, without the body")
    func head() async throws {
        let answer = try await ask(["HEAD /sessions/x/events"])[0]
        #expect(answer.status == 200 && answer.length == 11 && answer.body.isEmpty)
    }

    @Test("A known path with another method gets 405 with Allow; an unknown path matches no route")
    func unknown() async throws {
        let answers = try await ask([
            "PUT /sessions/x/events", "GET /sessions/x", "GET /sessions/x/events/", "GET /",
        ])
        #expect(answers.map(\.status) == [405, 405, 404, 404])
        #expect(answers[0].headers["allow"] == "GET, HEAD, POST")
        #expect(answers[1].headers["allow"] == "DELETE")
    }
}
