import Foundation
import TapeSockets
import Testing

@Suite("StaticFiles", .timeLimit(.minutes(1)))
struct StaticFilesTests {
    private func serving(
        headers: [(String, String)] = [], _ body: (URL, (String) throws -> Answer) async throws -> Void
    ) async throws {
        try await inFolder { folder in
            let root = folder.appending(component: "web")
            try root.write("<p>home</p>", to: "index.html")
            try root.write("export {}", to: "model/tape.js")
            try root.write("data", to: "file.unknown")
            try root.write("hidden", to: ".secret")
            try folder.write("secret", to: "outside.txt")
            let links = FileManager.default
            try links.createSymbolicLink(
                at: root.appending(component: "out.txt"), withDestinationURL: folder.appending(component: "outside.txt")
            )
            try links.createSymbolicLink(
                at: root.appending(component: "in.js"), withDestinationURL: root.appending(path: "model/tape.js"))
            let files = StaticFiles(root: root, headers: headers)
            let service = TestService(handles: { exchange in
                if !files.handle(exchange) { exchange.respond(HTTPResponse(status: 404, body: Array("none".utf8))) }
            })
            try await listening(service) { listener, _ in
                try await body(root) { try RawSocket(port: listener.port).ask("\($0)\r\nHost: a\r\n\r\n") }
            }
        }
    }

    @Test("A file is served with its content type, length and tag; / is index.html")
    func types() async throws {
        try await serving { _, ask in
            let home = try ask("GET / HTTP/1.1")
            #expect(home.status == 200 && home.text == "<p>home</p>")
            #expect(home.headers["content-type"] == "text/html; charset=utf-8")
            #expect(home.headers["content-length"] == "11")
            let script = try ask("GET /model/tape.js?v=1 HTTP/1.1")
            #expect(script.text == "export {}")
            #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
            try #expect(ask("GET /file.unknown HTTP/1.1").headers["content-type"] == "application/octet-stream")
            try #expect(ask("GET /in.js HTTP/1.1").text == "export {}")
        }
    }

    @Test("Files in memory are served like those of a folder")
    func memory() async throws {
        let content = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
        let files = StaticFiles(
            ["index.html": Array("<p>home</p>".utf8), "model/tape.js": content], headers: [("x-more", "1")])
        let service = TestService(handles: { exchange in
            if !files.handle(exchange) { exchange.respond(HTTPResponse(status: 404, body: Array("none".utf8))) }
        })
        try await listening(service) { listener, _ in
            func ask(_ line: String) throws -> Answer {
                try RawSocket(port: listener.port).ask("\(line)\r\nHost: a\r\n\r\n")
            }
            let home = try ask("GET / HTTP/1.1")
            #expect(home.text == "<p>home</p>" && home.headers["content-type"] == "text/html; charset=utf-8")
            #expect(home.headers["x-more"] == "1" && home.headers["content-length"] == "11")
            let script = try ask("GET /model/tape.js HTTP/1.1")
            #expect(script.body == content && script.headers["content-type"] == "text/javascript; charset=utf-8")
            let tag = try #require(script.headers["etag"])
            #expect(tag != home.headers["etag"])
            #expect(try ask("GET /model/tape.js HTTP/1.1\r\nIf-None-Match: \(tag)").status == 304)
            #expect(try ask("HEAD /index.html HTTP/1.1").status == 200)
            #expect(try ask("POST / HTTP/1.1\r\nContent-Length: 0").status == 405)
            for path in ["/model", "/model/", "/none", "//model/../index.html", "/index.html/x"] {
                #expect(try ask("GET \(path) HTTP/1.1").status == 404, "\(path)")
            }
        }
    }

    @Test("An unchanged file gets 304, a changed one is sent again")
    func tags() async throws {
        try await serving { root, ask in
            let tag = try #require(try ask("GET / HTTP/1.1").headers["etag"])
            for given in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let answer = try ask("GET / HTTP/1.1\r\nConnection: close\r\nIf-None-Match: \(given)")
                #expect(answer.status == 304 && answer.body.isEmpty && answer.headers["etag"] == tag)
            }
            try root.write("<p>another</p>", to: "index.html")
            let answer = try ask("GET / HTTP/1.1\r\nIf-None-Match: \(tag)")
            #expect(answer.status == 200 && answer.text == "<p>another</p>")
        }
    }

    @Test(
        "No path leads out of the root, to a folder or to a hidden file",
        arguments: [
            "/../outside.txt", "/%2e%2e/outside.txt", "/%2e%2e%2foutside.txt", "/model/../../outside.txt",
            "/model/%2e%2e/%2e%2e/outside.txt", "/..%5coutside.txt", "/out.txt", "/.secret", "/%2esecret", "/model",
            "/model/", "//etc/passwd", "/nothing", "/index.html/", "/%252e%252e/outside.txt",
        ])
    func traversal(_ path: String) async throws {
        try await serving { _, ask in
            let answer = try ask("GET \(path) HTTP/1.1\r\nConnection: close")
            #expect(answer.line.isEmpty || (400..<500).contains(answer.status), "\(answer)")
            #expect(!answer.text.contains("secret") && !answer.text.contains("hidden"))
        }
    }

    @Test("HEAD gives the same headers without the body")
    func head() async throws {
        try await serving { _, ask in
            let answer = try ask("HEAD / HTTP/1.1\r\nConnection: close")
            #expect(answer.status == 200 && answer.length == 11 && answer.body.isEmpty)
        }
    }

    @Test("Other methods get 405 with Allow", arguments: ["POST", "PUT", "DELETE"])
    func method(_ method: String) async throws {
        try await serving { _, ask in
            let answer = try ask("\(method) /index.html HTTP/1.1\r\nContent-Length: 0")
            #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
        }
    }

    @Test("A header given for all files replaces the default one and occurs once")
    func headers() async throws {
        try await serving(headers: [("Cache-Control", "max-age=60"), ("x-frame-options", "DENY")]) { _, ask in
            let answer = try ask("GET / HTTP/1.1")
            #expect(answer.names.filter { $0 == "cache-control" }.count == 1)
            #expect(answer.headers["cache-control"] == "max-age=60")
            #expect(answer.headers["x-frame-options"] == "DENY")
        }
        try await serving { _, ask in
            try #expect(ask("GET / HTTP/1.1").headers["cache-control"] == "no-cache")
        }
    }

    @Test("A large file arrives completely")
    func large() async throws {
        try await serving { root, ask in
            let text = (0..<300_000).map { "\($0)\n" }.joined()
            try root.write(text, to: "large.txt")
            try #expect(ask("GET /large.txt HTTP/1.1").text == text)
        }
    }
}
