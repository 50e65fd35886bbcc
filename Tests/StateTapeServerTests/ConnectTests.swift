import Foundation
import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct ConnectTests {
    @Test("A server on loopback has a loopback address, without a token")
    func loopback() async throws {
        let server = try TestServer()
        let answer = try await server.http.get("/api/v1/connect")
        let places = try #require(try answer.json()["addresses"]?.array)
        let url = "http://127.0.0.1:\(server.server.port)/"
        #expect(places.count == 1 && places[0]["interface"] == "lo" && places[0]["host"] == "127.0.0.1")
        #expect(places[0]["url"] == .string(url) && places[0]["link"] == .string(url))
        #expect(try answer.json()["qr"] == .string(QRCode(url).svg))
        #expect(answer.headers["cache-control"] == "no-store")
    }

    @Test("The app's token is only in links for the role control, and lets an app connect")
    func token() async throws {
        let server = try TestServer {
            $0.host = "0.0.0.0"
            $0.allowedHosts = ["tape.example"]
            $0.tokens = [.init(.view, "v"), .init(.app, "a&b"), .init(.control, "c")]
        }
        func places(_ token: String) async throws -> [JSON] {
            try await server.http.get("/api/v1/connect", ["Authorization": "Bearer \(token)"])
                .json()["addresses"]?.array ?? []
        }
        let port = server.server.port
        let first = try #require(try await places("c").first)
        #expect(first["interface"] == nil)
        #expect(first["link"] == .string("http://tape.example:\(port)/#token=a%26b"))
        #expect(
            first["appLink"]
                == .string("APP-SCHEME://statetape?url=http%3A%2F%2Ftape.example%3A\(port)%2F&token=a%26b"))
        #expect(try await places("c").last?["host"] == "127.0.0.1")
        let seen = try await places("v")
        #expect(seen.count >= 2)
        for place in seen {
            #expect(place["link"] == place["url"] && place["link"]?.string?.contains("a&b") == false)
        }
        #expect(try await server.http.get("/api/v1/connect", ["Authorization": "Bearer a&b"]).code == "role")
        #expect(try await server.app(Sample.hello(token: "a&b")).welcome().have == 0)
    }

    @Test("Behind a proxy that ends TLS, the links say https and the login's cookie is for TLS only")
    func proxy() async throws {
        let server = try TestServer {
            $0.allowedHosts = ["tape.example"]
            $0.tokens = [.init(.control, "c")]
        }
        func answers(_ proto: String) async throws -> (link: String?, cookie: String?) {
            let headers = [
                "Host": "tape.example", "X-Forwarded-Proto": proto, "Authorization": "Bearer c",
            ]
            let places = try await server.http.get("/api/v1/connect", headers).json()["addresses"]?.array
            let login = try await server.http.send("POST", "/api/v1/login", headers: headers, body: ["token": "c"])
            return (places?.first?["url"]?.string, login.headers["set-cookie"])
        }
        let secure = try await answers("https")
        #expect(secure.link == "https://tape.example/" && secure.cookie?.hasSuffix("; Secure") == true)
        let plain = try await answers("http")
        #expect(plain.link == "http://tape.example/" && plain.cookie?.contains("Secure") == false)
    }

    @Test("A token for view-only links is given to the role control alone, views only, and goes with its file")
    func viewToken() async throws {
        let folder = TemporaryFolder()
        func serve() throws -> TestServer {
            try TestServer(in: folder) { $0.tokens = [.init(.control, "c")] }
        }
        func answer(_ server: TestServer, _ token: String) async throws -> JSON? {
            try await server.http.get("/api/v1/connect", ["Authorization": "Bearer \(token)"]).json()["viewToken"]
        }
        let token: String
        do {
            let server = try serve()
            token = try #require(try await answer(server, "c")?.string)
            #expect(token.utf8.count == 32)
            #expect(try await answer(server, token) == nil)
            let headers = ["Authorization": "Bearer \(token)"]
            #expect(try await server.http.get("/api/v1/sessions", headers).status == 200)
            #expect(
                try await server.http.send("POST", "/api/v1/prune", headers: headers, body: ["dryRun": true]).code
                    == "role")
            #expect(await server.app(Sample.hello(token: token)).closed().code == 4001)
            server.server.stop()
        }
        do {
            let server = try serve()
            #expect(try await answer(server, "c")?.string == token)
            server.server.stop()
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("view-token"))
        let server = try serve()
        let headers = ["Authorization": "Bearer \(token)"]
        #expect(try await server.http.get("/api/v1/sessions", headers).status == 401)
        #expect(try await answer(server, "c")?.string != token)
        let own = try TestServer { $0.tokens = [.init(.control, "c"), .init(.view, "mine")] }
        #expect(try await answer(own, "c") == "mine")
        let open = try TestServer()
        #expect(try await answer(open, "c") == nil)
    }

    @Test("The QR code is available as an image, for an address and an app's scheme")
    func image() async throws {
        let server = try TestServer { $0.allowedHosts = ["tape.example"] }
        let path = "/api/v1/connect?format=svg"
        let port = server.server.port
        let first = try await server.http.get(path)
        #expect(first.headers["content-type"] == "image/svg+xml")
        #expect(try first.text == QRCode("http://tape.example:\(port)/").svg)
        let other = try await server.http.get(path + "&address=127.0.0.1&scheme=todo")
        #expect(
            try other.text == QRCode("todo://statetape?url=http%3A%2F%2F127.0.0.1%3A\(port)%2F").svg)
        #expect(try await server.http.get(path + "&address=none.example").status == 404)
        #expect(try await server.http.get(path + "&scheme=a%22b").status == 400)
    }

    @Test("Each interface is listed once, with addresses of the right kind, the loopback address last")
    func interfaces() {
        for (host, isSix) in [("0.0.0.0", false), ("::", true)] {
            let places = LocalAddresses.reachable(of: host)
            #expect(places.allSatisfy { $0.host.contains(":") == isSix })
            #expect(Set(places.map(\.interface)).count == places.count)
            #expect(places.dropLast().allSatisfy { !LocalAddresses.isLoopback($0.host) })
        }
        #expect(["127.0.0.1", "127.1.2.3", "::1", "LocalHost"].allSatisfy(LocalAddresses.isLoopback))
        // A name may look like an address and resolve to anything.
        #expect(!LocalAddresses.isLoopback("127.example.org") && !LocalAddresses.isLoopback("127.0.0.1.nip.io"))
        #expect(LocalAddresses.reachable(of: "0.0.0.0").last?.host == "127.0.0.1")
        #expect(LocalAddresses.reachable(of: "tape.local").map(\.host) == ["tape.local"])
    }
}
