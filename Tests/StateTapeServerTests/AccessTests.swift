import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite struct AccessTests {
    private let loopback = Access(hosts: ["127.0.0.1"], tokens: [])
    private let network = Access(hosts: ["192.168.1.5", "tape.local"], tokens: [.init(.control, "secret")])
    private static let cookie = Access.cookie(of: "secret")

    private func request(_ method: String = "GET", _ headers: [String: String]) -> HTTPRequest {
        HTTPRequest(
            method: method, path: "/", headers: ["host": "127.0.0.1:8080"].merging(headers) { $1 })
    }

    private func code(_ access: Access, _ kind: Access.Kind, _ headers: [String: String]) -> String? {
        access.refusal(request("GET", headers), kind)?.code
    }

    @Test(
        "Only loopback names, the server's addresses and configured names are accepted",
        arguments: [
            ("localhost", true), ("LOCALHOST:80", true), ("127.0.0.1", true), ("[::1]:8080", true),
            ("192.168.1.5:8080", true), ("tape.local", true), ("tape.local.", true), ("evil.example", false),
            ("127.0.0.1.evil.example", false), ("localhost.evil.example:8080", false), ("", false),
            ("192.168.1.6", false), ("[::2]", false), ("127.0.0.1:8080@evil.example", false),
            ("localhost:x", false), ("localhost:808080", false), ("127.0.0.1:80 ", false), ("localhost:", true),
        ])
    func hosts(host: String, isKnown: Bool) {
        #expect((network.refusal(request(["host": host]), .open) == nil) == isKnown)
    }

    private func request(_ headers: [String: String]) -> HTTPRequest { request("GET", headers) }

    @Test("A request without Host is refused")
    func noHost() {
        #expect(loopback.refusal(HTTPRequest(method: "GET", path: "/"), .open)?.status == 403)
    }

    @Test("On loopback, programs and the own page may do everything, and other pages nothing")
    func withoutToken() {
        let kinds: [Access.Kind] = [.open, .login, .read, .write, .viewerUpgrade, .appUpgrade]
        for kind in kinds {
            #expect(code(loopback, kind, [:]) == nil)
            #expect(code(loopback, kind, ["origin": "http://127.0.0.1:8080"]) == nil)
            #expect(code(loopback, kind, ["sec-fetch-site": "same-origin"]) == nil)
            #expect(code(loopback, kind, ["sec-fetch-site": "none"]) == nil)
        }
        for kind in kinds.dropFirst() where kind != .read {
            for origin in [
                "null", "http://evil.example", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "file://", "",
                "http://localhost:8080",
            ] {
                let isSame = origin == "https://127.0.0.1:8080"
                #expect((code(loopback, kind, ["origin": origin]) == nil) == isSame, "\(kind) from \(origin)")
            }
            #expect(code(loopback, kind, ["sec-fetch-site": "cross-site"]) == "foreign-origin")
            #expect(code(loopback, kind, ["sec-fetch-site": "same-site"]) == "foreign-origin")
            #expect(code(loopback, kind, ["origin": "null", "authorization": "Bearer x"]) == "foreign-origin")
        }
    }

    @Test("If a token is needed, only files, health and login are open; an app's token is checked later")
    func withToken() {
        for kind: Access.Kind in [.open, .login, .appUpgrade] { #expect(code(network, kind, [:]) == nil) }
        for kind: Access.Kind in [.read, .write, .viewerUpgrade] {
            #expect(code(network, kind, [:]) == "not-authorised")
            #expect(code(network, kind, ["authorization": "Bearer wrong"]) == "not-authorised")
            #expect(code(network, kind, ["authorization": "Basic secret"]) == "not-authorised")
            #expect(code(network, kind, ["authorization": "Bearer secret"]) == nil)
            #expect(code(network, kind, ["authorization": "bearer secret"]) == nil)
        }
        #expect(
            code(network, .viewerUpgrade, ["authorization": "Bearer secret", "origin": "http://evil.example"])
                == "foreign-origin")
    }

    @Test("None of 100 000 wrong tokens is accepted, as a bearer, a cookie, a login or an app's")
    func wrongTokens() {
        let access = Access(hosts: [], tokens: [.init(.app, "a"), .init(.view, "v"), .init(.control, "secret")])
        var generator = SystemRandomNumberGenerator()
        for number in 0..<100_000 {
            let guess = "guess \(generator.next())"
            let cookie = "\(Self.cookie.name)=\(String(guess.hashValue, radix: 16))"
            let isAccepted =
                switch number % 4 {
                case 0: access.role(of: request(["authorization": "Bearer \(guess)"])) != nil
                case 1: access.role(of: request(["cookie": cookie])) != nil
                case 2: access.role(token: guess) != nil
                default: access.refusal(ofApp: guess) == nil
                }
            guard !isAccepted else { return #expect(Bool(false), "“\(guess)” was accepted, attempt \(number)") }
        }
    }

    @Test("However many cookies of other servers come before, the own one counts")
    func manyCookies() {
        let own = Access.cookie(of: "secret")
        let others = (0..<100).map { "statetape-\(10_000_000 + $0)=\(String(repeating: "0", count: 56))" }
        let header = (others + ["\(own.name)=\(own.value)"]).joined(separator: "; ")
        #expect(network.role(of: request(["cookie": header])) == .control)
        #expect(network.role(of: request(["cookie": others.joined(separator: "; ")])) == nil)
    }

    @Test("Of several tokens' cookies, the one with the highest role counts")
    func severalCookies() {
        let access = Access(hosts: [], tokens: [.init(.app, "a"), .init(.view, "v")])
        let cookies = ["a", "v"].map(Access.cookie).map { "\($0.name)=\($0.value)" }
        for cookies in [cookies, cookies.reversed()] {
            #expect(access.role(of: request(["cookie": cookies.joined(separator: "; ")])) == .view)
        }
    }

    @Test("A cookie may read from anywhere, but write and watch only from the own page")
    func cookies() {
        let cookie = "other=1; \(Self.cookie.name)=\(Self.cookie.value)"
        let own = "http://127.0.0.1:8080"
        #expect(code(network, .read, ["cookie": cookie]) == nil)
        #expect(code(network, .read, ["cookie": "\(Self.cookie.name)=wrong"]) == "not-authorised")
        #expect(code(network, .read, ["cookie": "\(Self.cookie.name)=secret"]) == "not-authorised")
        for kind: Access.Kind in [.write, .viewerUpgrade] {
            #expect(code(network, kind, ["cookie": cookie]) == "no-origin")
            #expect(code(network, kind, ["cookie": cookie, "origin": own]) == nil)
            #expect(code(network, kind, ["cookie": cookie, "origin": "null"]) == "foreign-origin")
            #expect(
                code(network, kind, ["cookie": cookie, "origin": own, "sec-fetch-site": "cross-site"])
                    == "foreign-origin")
        }
    }

    @Test("An app's token records and uploads, a view token reads and watches, a control token does everything")
    func roles() {
        let access = Access(
            hosts: [], tokens: [.init(.app, "a"), .init(.view, "v"), .init(.control, "c"), .init(.view, "c")])
        let expected: [(Access.Kind, String, String)] = [
            (.open, "avc", ""), (.login, "avc", ""), (.appUpgrade, "avc", ""), (.read, "vc", "a"),
            (.viewerUpgrade, "vc", "a"), (.upload, "ac", "v"), (.write, "c", "av"),
        ]
        for (kind, allowed, refused) in expected {
            for token in allowed {
                #expect(code(access, kind, ["authorization": "Bearer \(token)"]) == nil, "\(kind) \(token)")
                let cookie = Access.cookie(of: String(token))
                let headers = ["cookie": "\(cookie.name)=\(cookie.value)", "origin": "http://127.0.0.1:8080"]
                #expect(code(access, kind, headers) == nil, "\(kind) \(token)")
            }
            for token in refused {
                let problem = access.refusal(request(["authorization": "Bearer \(token)"]), kind)
                #expect(problem?.status == 403 && problem?.code == "role", "\(kind) \(token)")
                #expect(problem?.detail.contains("“control”") == true)
            }
        }
        #expect(access.refusal(ofApp: "a") == nil && access.refusal(ofApp: "c") == nil)
        #expect(access.refusal(ofApp: "v")?.message.contains("“app”") == true)
        #expect(access.refusal(ofApp: "x")?.code == "not-authorised")
        #expect(access.refusal(ofApp: nil)?.code == "not-authorised")
    }

    @Test("If no token is an app's, one is derived that only records")
    func appToken() throws {
        let token = try #require(network.appToken)
        #expect(network.role(token: token) == .app && !token.contains("secret"))
        #expect(Access(hosts: [], tokens: [.init(.control, "secret")]).appToken == token)
        #expect(Access(hosts: [], tokens: [.init(.control, "other")]).appToken != token)
        #expect(Access(hosts: [], tokens: [.init(.control, "c"), .init(.app, "a")]).appToken == "a")
        #expect(loopback.appToken == nil && loopback.role(token: nil) == .control)
    }

    @Test("The cookie doesn't contain the token, and differs per token")
    func cookieValue() {
        #expect(!Self.cookie.value.contains("secret"))
        #expect(Self.cookie != Access.cookie(of: "other"))
    }

    @Test("SHA-256 matches the standard's examples")
    func hash() {
        func hex(_ text: String) -> String {
            SHA256.hash(text).map { String($0, radix: 16) }.joined(separator: " ")
        }
        #expect(hex("abc").hasPrefix("ba 78 16 bf 8f 1 cf ea 41 41 40 de"))
        #expect(hex("").hasPrefix("e3 b0 c4 42 98 fc 1c 14"))
        #expect(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hasPrefix("24 8d 6a 61 d2 6 38 b8"))
        #expect(hex(String(repeating: "a", count: 1_000)).hasPrefix("41 ed ec e4 2d 63 e8 d9"))
    }
}
