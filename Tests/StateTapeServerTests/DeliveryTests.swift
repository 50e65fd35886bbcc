import Foundation
import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    private let path = TestServer.session
    private static let gzip = ["Accept-Encoding": "gzip, deflate, br"]

    @Test(
        "Gzip is used if the client accepts it at least as much as no compression",
        arguments: [
            (nil, false, false), ("", false, false), ("gzip", true, false), ("br, GZIP ; q=0.5", true, false),
            ("x-gzip", true, false), ("*", true, false), ("gzip;q=0", false, false), ("gzip;q=0, *", false, false),
            ("br", false, false), ("gzip;q=0.5, identity", false, false), ("gzip, identity;q=0.5", true, false),
            ("identity;q=0, gzip", true, true), ("gzip, *;q=0", true, true), ("*;q=0", false, true),
            ("identity;q=0", false, true), ("gzip;q=nonsense", false, false),
        ])
    func accepted(header: String?, wantsGzip: Bool, refusesIdentity: Bool) {
        let accepted = AcceptEncoding(header)
        #expect(accepted.wantsGzip == wantsGzip)
        #expect(accepted.refusesIdentity == refusesIdentity)
    }

    @Test(
        "Only an answer of more than 4 KB is finished on a worker",
        arguments: [(0, false), (4_096, false), (4_097, true)])
    func work(count: Int, isWork: Bool) {
        let delivery = Delivery(HTTPRequest(method: "GET", path: "/", headers: Self.gzip))
        #expect(delivery.isWork(.whole(HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: count)))) == isWork)
    }

    @Test("A body of 1 KiB or more is compressed on request; a shorter one only if no other coding is accepted")
    func compressed() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 50))
        let events = path + "/events"
        let plain = try await server.http.get(events)
        #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == "Accept-Encoding, Cookie")
        let packed = try await server.http.get(events, Self.gzip)
        #expect(packed.headers["content-encoding"] == "gzip" && packed.headers["vary"] == "Accept-Encoding, Cookie")
        #expect(packed.gunzipped == plain.body && packed.body.count < plain.body.count / 3)
        #expect(packed.headers["content-length"] == "\(packed.body.count)")
        #expect(packed.headers["statetape-next"] == "50")
        let short = try await server.http.get(path + "/states/7", Self.gzip)
        #expect(short.headers["content-encoding"] == nil && short.text == #"{"n":7}"#)
        let strict = try await server.http.get(path + "/states/7", ["Accept-Encoding": "gzip, identity;q=0"])
        #expect(strict.headers["content-encoding"] == "gzip")
        #expect(strict.gunzipped == Array(#"{"n":7}"#.utf8))
        let head = try await server.http.send("HEAD", events, headers: Self.gzip)
        #expect(head.body.isEmpty && head.headers["content-length"] == packed.headers["content-length"])
        app.close()
    }

    @Test("A download and the page's files are compressed while they stream")
    func streams() async throws {
        let web = TemporaryFolder()
        try FileManager.default.createDirectory(at: web.url, withIntermediateDirectories: true)
        let script = Array(String(repeating: "export const a = 1;\n", count: 20_000).utf8)
        try Data(script).write(to: web.url.appendingPathComponent("a.js"))
        try Data(script).write(to: web.url.appendingPathComponent("a.png"))
        try Data("<!doctype html>".utf8).write(to: web.url.appendingPathComponent("index.html"))
        let server = try TestServer { $0.page = Page(web.url) }
        let app = try await server.recorded(Sample.counting(to: 4_000))
        for path in ["/a.js", path + "/tape"] {
            let plain = try await server.http.get(path)
            let packed = try await server.http.get(path, Self.gzip)
            #expect(plain.headers["content-encoding"] == nil && packed.headers["content-encoding"] == "gzip")
            #expect(packed.headers["content-length"] == nil)
            #expect(packed.gunzipped == plain.body && packed.body.count < plain.body.count / 3)
        }
        let short = try await server.http.get("/", Self.gzip)
        #expect(short.headers["content-encoding"] == nil && short.headers["vary"] != nil)
        // An image is already compressed.
        #expect(try await server.http.get("/a.png", Self.gzip).headers["content-encoding"] == nil)
        app.close()
    }

    @Test("A state of 9 MB arrives as it is, with its length, its tag, and compressed on request")
    func largeState() async throws {
        let server = try TestServer()
        let state: JSON = ["text": .string(String(repeating: "text ", count: 1_800_000)), "n": 1]
        let app = try await server.recorded([Sample.start(0, state)])
        let plain = try await server.http.get(path + "/states/0")
        #expect(plain.status == 200 && plain.body == state.bytes)
        #expect(plain.headers["content-length"] == "\(state.bytes.count)")
        #expect(plain.headers["content-type"] == "application/json" && plain.headers["statetape-seq"] == "0")
        let tag = try #require(plain.headers["etag"])
        #expect(try await server.http.get(path + "/states/0", ["If-None-Match": tag]).status == 304)
        let packed = try await server.http.get(path + "/states/0", Self.gzip)
        #expect(packed.headers["content-encoding"] == "gzip" && packed.body.count < 1 << 20)
        app.close()
    }

    @Test("A peer that already has the content gets 304, by the tag of its coding")
    func tags() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 50))
        for path in [
            path, path + "/events", path + "/states/3", "/api/v1/sessions", "/openapi.json", path + "/tape",
        ] {
            let plain = try await server.http.get(path)
            let tag = try #require(plain.headers["etag"], "\(path)")
            #expect(plain.headers["cache-control"] == "no-cache")
            let same = try await server.http.get(path, ["If-None-Match": "\"x\", W/\(tag)"])
            #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag, "\(path)")
            #expect(same.headers["content-type"] == nil && same.headers["vary"] != nil)
            #expect(try await server.http.get(path, ["If-None-Match": "\"x\""]).status == 200)
        }
        let events = path + "/events"
        let packed = try await server.http.get(events, Self.gzip)
        let plain = try await server.http.get(events)
        let (packedTag, plainTag) = (packed.headers["etag"] ?? "", plain.headers["etag"] ?? "")
        #expect(packedTag != plainTag && packedTag.hasSuffix("-gzip\""))
        let both = Self.gzip.merging(["If-None-Match": packedTag]) { $1 }
        #expect(try await server.http.get(events, both).status == 304)
        #expect(try await server.http.get(events, ["If-None-Match": packedTag]).status == 200)
        app.send([Sample.count(50, to: 50).bytes])
        try await app.acknowledged(51)
        #expect(try await server.http.get(events, both).status == 200)
        // The same lines, but the list continues further.
        let none = events + "?q=nowhere"
        let tag = try #require(try await server.http.get(none).headers["etag"])
        app.send([Sample.count(51, to: 51).bytes])
        try await app.acknowledged(52)
        let later = try await server.http.get(none, ["If-None-Match": tag])
        #expect(later.status == 200 && later.headers["statetape-next"] == "52")
        app.close()
    }

    @Test("Only sealed events are immutable: as a 200 at the full id, with the session's version and no filter")
    func immutable() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 300) + [Sample.action(300, ("skipped", true))])
        try await server.sealed(1)
        let summary = try await server.http.get(path).json()
        let version = try #require(summary["version"]?.int)
        let sealed = try #require(summary["sealed"]?.int)
        func isKept(_ path: String) async throws -> Bool {
            let answer = try await server.http.get(path)
            let rule = answer.headers["cache-control"]
            #expect(rule == "no-cache" || rule == "private, max-age=31536000, immutable", "\(path)")
            return rule != "no-cache"
        }
        for rest in ["/events/5", "/states/5", "/events?from=3&limit=10", "/events?from=3&limit=10&fields=head"] {
            let mark = rest.contains("?") ? "&" : "?"
            #expect(try await isKept(path + rest + mark + "v=\(version)"), "\(rest)")
            #expect(try await !isKept(path + rest), "\(rest)")
            #expect(try await !isKept(path + rest + mark + "v=\(version + 1)"), "\(rest)")
            let short = "/api/v1/sessions/" + Sample.header().session.prefix(12) + rest + mark + "v=\(version)"
            #expect(try await server.http.get(short).status == 307)
            #expect(try await !isKept(short), "\(rest)")
        }
        #expect(sealed < 301)
        for rest in [
            "/events/300?v=", "/states/299?v=", "/states/300?v=", "/states/5?store=none&v=", "/events?v=",
            "/events?from=\(sealed)&limit=5&v=", "/events?limit=5&q=n&v=", "/events?limit=5&type=counter&v=",
            "/events?limit=0&v=", "/events?from=900&limit=5&v=",
        ] {
            #expect(try await !isKept(path + rest + "\(version)"), "\(rest)")
        }
        #expect(try await !isKept("/api/v1/sessions?v=\(version)"))
        app.close()
    }

    @Test("An immutable response stays the same")
    func lasting() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 300))
        try await server.sealed(256)
        let kept = [
            "/events/5?v=1", "/states/5?v=1", "/events?from=3&limit=10&v=1", "/events?from=200&limit=56&v=1",
        ]
        var before: [[UInt8]] = []
        for rest in kept { before.append(try await server.http.get(path + rest).body) }
        app.send((300..<600).map { Sample.count($0, to: $0).bytes } + [Sample.end(600).bytes])
        try await app.acknowledged(601)
        app.close()
        try await server.sealed(601)
        for (rest, body) in zip(kept, before) { #expect(try await server.http.get(path + rest).body == body) }
    }
}
