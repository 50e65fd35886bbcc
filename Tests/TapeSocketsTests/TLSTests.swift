import Foundation
import TapeSockets
import Testing

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    private func secured(_ body: (Listener, EventLoop, Certificate) async throws -> Void) async throws {
        try await inFolder { folder in
            let certificate = try Certificate(in: folder)
            var options = Listener.Options()
            options.tlsCertificate = certificate.path
            options.tlsKey = certificate.key
            var service = TestService.echo()
            service.handles = { $0.respond(HTTPResponse(status: 200, body: Array(repeating: 65, count: 300_000))) }
            try await listening(service, options: options) { listener, loop in
                try await body(listener, loop, certificate)
            }
        }
    }

    @Test("A page is served over https")
    func page() async throws {
        try await secured { listener, _, certificate in
            let text = try openssl(
                [
                    "s_client", "-quiet", "-verify_return_error", "-CAfile", certificate.path, "-servername",
                    "localhost",
                    "-connect", "127.0.0.1:\(listener.port)",
                ], input: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix(String(repeating: "A", count: 300_000)))
        }
    }

    @Test("TLS versions before 1.2 are refused")
    func old() async throws {
        try await secured { listener, _, _ in
            for (version, isServed) in [("-tls1_2", true), ("-tls1_1", false), ("-tls1", false)] {
                let text = try openssl(
                    [
                        "s_client", "-quiet", version, "-cipher", "DEFAULT:@SECLEVEL=0",
                        "-connect", "127.0.0.1:\(listener.port)",
                    ], input: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") == isServed, "\(version): \(text.prefix(100))")
            }
        }
    }

    @Test("A body pipelined after a request is read correctly")
    func pipelined() async throws {
        try await secured { listener, _, certificate in
            let text = try openssl(
                ["s_client", "-quiet", "-CAfile", certificate.path, "-connect", "127.0.0.1:\(listener.port)"],
                input: "GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                    + "Connection: close\r\n\r\n{}")
            #expect(text.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 3)
        }
    }

    @Test("A client that trusts the certificate can use wss", arguments: ["localhost", "127.0.0.1"])
    func echo(host: String) async throws {
        try await secured { listener, loop, certificate in
            let recorder = RecordingHandler()
            let connection = Client.connect(
                on: .clients, to: "wss://\(host):\(listener.port)/", subprotocol: "test.v1",
                authority: certificate.path,
                handler: recorder)
            let message = [UInt8]((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 255) })
            connection.send(message)
            try await #expect(recorder.message() == message)
            connection.close(code: 1000, reason: "")
            try await #expect(recorder.closing().code == 1000)
        }
    }

    @Test("A client that doesn't trust the certificate can't connect")
    func stranger() async throws {
        try await secured { listener, loop, _ in
            let recorder = RecordingHandler()
            Client.connect(
                on: .clients, to: "wss://localhost:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
            let end = try await recorder.closing()
            #expect(end.code == nil && !end.reason.isEmpty)
        }
    }

    @Test("A certificate for another name is refused")
    func otherName() async throws {
        try await secured { listener, loop, certificate in
            let recorder = RecordingHandler()
            Client.connect(
                on: .clients, to: "wss://localhost.localdomain:\(listener.port)/", subprotocol: "test.v1",
                authority: certificate.path, handler: recorder)
            try await #expect(recorder.closing().code == nil)
        }
    }

    @Test("An error about a bad certificate or key is one sentence")
    func unusable() async throws {
        try await inFolder { folder in
            let certificate = try Certificate(in: folder)
            let noise = try folder.write("noise", to: "noise.pem").path
            let loop = try EventLoop()
            defer { loop.stop() }
            for (chain, key) in [
                (folder.path + "/missing.pem", certificate.key), (noise, certificate.key), (certificate.path, noise),
            ] {
                var options = Listener.Options()
                options.tlsCertificate = chain
                options.tlsKey = key
                let error = #expect(throws: SocketsError.self) {
                    try Listener(on: loop, host: "127.0.0.1", port: 0, options: options, service: TestService.echo())
                }
                let text = try #require(error).description
                #expect(text.hasPrefix("The TLS certificate can't be used: ") && text.hasSuffix("."))
            }
        }
    }
}
