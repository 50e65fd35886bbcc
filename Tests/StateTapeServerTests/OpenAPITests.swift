import Foundation
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct OpenAPITests {
    @Test("The description and the server have the same methods and paths")
    func routes() async throws {
        let server = try TestServer()
        let answer = try await server.http.get("/openapi.json")
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
        let paths = try #require(try answer.json()["paths"]?.object)
        var described: Set<String> = []
        for path in paths {
            for operation in path.value.object ?? JSON.Object() where operation.key != "parameters" {
                described.insert("\(operation.key.uppercased()) \(Self.nameless(path.key))")
            }
        }
        let served = Set(server.server.routes.entries.map { "\($0.method) \(Self.nameless($0.pattern))" })
        #expect(served.subtracting(described).sorted() == [], "served, and not described in openapi.json")
        #expect(described.subtracting(served).sorted() == [], "described, and not served")
    }

    @Test("Each operation describes the common errors with their status and code")
    func refusals() async throws {
        let server = try TestServer()
        let document = try await server.http.get("/openapi.json").json()
        for path in try #require(document["paths"]?.object) {
            for operation in path.value.object ?? JSON.Object() where operation.key != "parameters" {
                let other = operation.value["responses"]?["default"]?["$ref"]
                #expect(other == "#/components/responses/refused", "\(operation.key) \(path.key)")
            }
        }
        let refused = try #require(document["components"]?["responses"]?["refused"])
        let sentence = try #require(refused["description"]?.string)
        for (request, status) in Self.refused {
            let text = request.replacing("HOST", with: "Host: 127.0.0.1:\(server.http.port)") + "\r\n\r\n"
            // An empty line would precede the next request.
            let bytes = try await server.http.raw(Array("\r\n".utf8), after: Array(text.utf8))
            let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
            #expect(parts[0].hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(100)): \(parts[0])")
            #expect(parts[0].contains("content-type: application/problem+json"), "\(request.prefix(100))")
            let problem = try JSON(parsing: Array(try #require(parts.last).utf8))
            #expect(problem["status"] == .number(.init(status)))
            let code = try #require(problem["code"]?.string)
            #expect(sentence.contains("\(status) `\(code)`"), "\(status) `\(code)` is not described")
        }
    }

    /// The errors that any operation can have, with their status.
    private static let refused = [
        ("GET /healthz HTTP/1.1", 400), ("GET /healthz HTTP/1.1\r\nHost: evil.example", 403),
        ("PATCH /healthz HTTP/1.1\r\nHOST", 405), ("TRACE /healthz HTTP/1.1\r\nHOST", 405),
        ("QUERY /healthz HTTP/1.1\r\nHOST", 405),
        ("POST /api/v1/prune HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked", 411),
        ("POST /api/v1/prune HTTP/1.1\r\nHOST\r\nContent-Length: 67108865", 413),
        ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHOST", 414),
        ("GET /healthz HTTP/1.1\r\nHOST\r\nX: \(String(repeating: "x", count: 20_000))", 431),
        ("GET /v1/viewer HTTP/1.1\r\nHOST\r\nUpgrade: websocket", 426),
        ("BREW /healthz HTTP/1.1\r\nHOST", 501), ("GET /healthz HTTP/2.0\r\nHOST", 505),
    ]

    /// The names of a path's parameters don't matter.
    private static func nameless(_ path: String) -> String {
        path.replacing(/\{[^}]*\}/, with: "{}")
    }
}
