import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

/// Sends a server what no valid client sends. STATETAPE_FUZZ multiplies the number of cases.
@Suite(.timeLimit(.minutes(30))) struct FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let times = environment["STATETAPE_FUZZ"].flatMap { Int($0) } ?? 1
    private static let first = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1

    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        server = try ServerProcess(data: folder.url)
    }

    private static func seeds(_ count: Int) -> Range<UInt64> {
        first..<(first + UInt64(count * times))
    }

    /// Sends a request. Expects that the server answers, and not with an internal error.
    @discardableResult
    private func expectAnswer(
        _ seed: UInt64, _ method: String, _ path: String, _ body: [UInt8] = []
    ) async throws -> HTTPClient.Response {
        do {
            let answer = try await server.http.send(method, path, bytes: body)
            #expect(answer.status != 500 && answer.status != 0, "STATETAPE_SEED=\(seed): \(method) \(path)")
            return answer
        } catch {
            throw Ended(
                description: "STATETAPE_SEED=\(seed): \(method) \(path): \(error); the body was "
                    + String(decoding: body.prefix(2_000), as: UTF8.self))
        }
    }

    /// Requests everything that the API has about a session.
    private func expectReadable(_ seed: UInt64, _ id: String, _ mutation: inout Mutation) async throws {
        let path = "/api/v1/sessions/\(id)"
        let number = mutation.pick(["0", "1", "9", "9007199254740990", "9007199254740991", "9223372036854775807"])
        for place in [
            "", "/events", "/events?fields=head", "/events?fields=preview", "/events?from=\(number)",
            "/events?limit=\(number)",
            "/events?q=a&from=\(number)", "/matches?type=*", "/matches?q=a&offset=\(number)",
            "/histogram?buckets=2000", "/histogram?buckets=\(number)", "/overview", "/events/\(number)",
            "/states/\(number)", "/states/3?store=detail%232", "/tape?from=\(number)", "/tape?to=\(number)",
            "/tape?format=redux-devtools&from=\(number)", "/tape?format=redux-devtools&to=\(number)", "/bookmarks",
            "/diff/\(id)",
        ] {
            try await expectAnswer(seed, "GET", path + place)
        }
        try await expectAnswer(
            seed, "POST", path + "/bookmarks", Array("{\"seq\":\(number),\"text\":\"here\"}".utf8))
    }

    private static let tape: [String] = [
        #"{"seq":0,"at":0,"event":"init","state":{"todos":[{"id":1,"title":"Milk"}],"n":41,"price":1.10}}"#,
        #"{"seq":1,"at":12.5,"event":"action","action":{"type":"todos/toggle","payload":{"id":1}},"#
            + #""patch":[{"op":"replace","path":"/n","value":42}],"took":0.004,"caller":"Todo/View.swift:41"}"#,
        #"{"seq":2,"at":13.125,"event":"action","action":{"type":"note/edit"},"#
            + #""patch":[{"op":"splice","path":"/todos/0/title","at":1,"remove":2,"insert":"ea"}],"cause":{"seq":1}}"#,
        #"{"seq":3,"at":20,"event":"note","text":"pressed twice","level":"warning","data":{"presses":2}}"#,
        #"{"seq":4,"at":21,"event":"action","action":{"type":"sync"},"skipped":true,"dispatch":7}"#,
        #"{"seq":7,"at":30,"event":"gap","count":3,"reason":"memory"}"#,
        #"{"seq":8,"at":31,"event":"replace","state":{"todos":[],"n":-0},"cause":{"push":"p7"}}"#,
        #"{"seq":9,"at":32,"event":"init","store":"detail#2","state":null}"#,
        #"{"seq":10,"at":33,"event":"detach","store":"detail#2"}"#,
        #"{"seq":11,"at":36,"event":"end","reason":"finished"}"#,
    ]

    private static func file(_ id: String, _ lines: [String]) -> [UInt8] {
        Array(([Sample.header(id).json.text] + lines).map { $0 + "\n" }.joined().utf8)
    }

    @Test("The whole lines before the bad line of a mutated tape are stored and can be queried")
    func tapes() async throws {
        for seed in Self.seeds(60) {
            var mutation = Mutation(seed: seed)
            let id = "FUZZED-SESSION-\(1_000 + seed)"
            var lines = Self.tape
            let place = mutation.below(lines.count)
            let line = Array(lines[place].utf8)
            let spoilt = mutation.below(3) == 0 ? mutation.spoil(line) : mutation.renumber(line)
            lines[place] = String(decoding: spoilt, as: UTF8.self)
            let answer = try await expectAnswer(seed, "POST", "/api/v1/sessions", Self.file(id, lines))
            guard answer.status < 300 else {
                #expect(answer.status == 422 || answer.status == 409, "STATETAPE_SEED=\(seed): \(answer.text)")
                continue
            }
            let found = try await expectAnswer(seed, "GET", "/api/v1/sessions/\(id)/tape")
            #expect(
                found.lines.dropFirst().elementsEqual(
                    lines.flatMap { $0.utf8.split(separator: 10).map(Array.init) }.prefix(found.lines.count - 1)),
                "STATETAPE_SEED=\(seed)")
            try await expectReadable(seed, id, &mutation)
        }
        try await expectSound()
    }

    @Test("Mutated gzip files, and random files, are answered")
    func packed() async throws {
        let plain = Self.file("PACKED-SESSION-0001", Self.tape)
        let whole = try Gzip.pack(plain)
        for seed in Self.seeds(100) {
            var mutation = Mutation(seed: seed)
            let body = mutation.spoil(mutation.below(2) == 0 ? whole : plain)
            try await expectAnswer(seed, "POST", "/api/v1/sessions", body)
        }
        try await expectSound()
    }

    @Test("A mutated Redux DevTools file is answered, and the stored part can be queried")
    func redux() async throws {
        let file = #"""
            {"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1461248785265},
            "1":{"type":"PERFORM_ACTION","action":{"type":"ADD","payload":2},"timestamp":1461248788433},
            "2":{"type":"PERFORM_ACTION","action":{"type":"NAME","name":"a"},"timestamp":1461248788500}},
            "nextActionId":3,"stagedActionIds":[0,1,2],"skippedActionIds":[],"currentStateIndex":2,
            "computedStates":[{"state":{"n":0}},{"state":{"n":2}},{"state":{"n":2,"name":"a"},"error":"no"}]}
            """#
        for seed in Self.seeds(100) {
            var mutation = Mutation(seed: seed)
            let bytes = Array(file.utf8)
            let body = mutation.below(3) == 0 ? mutation.spoil(bytes) : mutation.renumber(bytes)
            let answer = try await expectAnswer(seed, "POST", "/api/v1/sessions", body)
            guard answer.status < 300, let id = try answer.json()["session"]?.string else { continue }
            if seed % 10 == 0 { try await expectReadable(seed, id, &mutation) }
        }
        try await expectSound()
    }

    @Test("Invalid requests, and frames that break the protocol, affect nobody else")
    func frames() async throws {
        let requests = [
            "GET /api/v1/sessions?limit=5&before=x&label=a:b HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            "POST /api/v1/sessions?session=a&from=4 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{\"tape\":1",
            "PUT /api/v1/start-states HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 11\r\n\r\n{\"app\":\"a\"}",
            "POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n0\r\n\r\n",
        ].map { Array($0.utf8) }
        let shake = { (link: String, name: String) in
            Array(
                """
                GET /v1/\(link) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: \(name)\r\n\r\n
                """.utf8)
        }
        for seed in Self.seeds(300) {
            var mutation = Mutation(seed: seed)
            do {
                switch mutation.below(4) {
                case 0: try await server.http.raw(mutation.spoil(mutation.pick(requests)))
                case 1:
                    let watch = Self.frame(Array(#"{"watch":{"sessions":true}}"#.utf8))
                    try await server.http.raw(
                        mutation.spoil(watch + watch), after: shake("viewer", "statetape.viewer.v1"))
                default:
                    let hello = AppLine.hello(Sample.hello(Sample.header("FRAMED-SESSION-\(seed)"))).bytes
                    let lines = Self.tape.flatMap { Self.frame(Array($0.utf8)) }
                    try await server.http.raw(
                        Self.frame(hello) + mutation.spoil(lines), after: shake("app", "statetape.v1"))
                }
            } catch {
                throw Ended(description: "STATETAPE_SEED=\(seed): \(error)")
            }
            if seed % 50 == 0 {
                try await expectAnswer(seed, "GET", "/healthz")
            }
        }
        let app = await server.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        app.send(Sample.counting(to: 100).map(\.bytes))
        try await app.acknowledged(100)
        let taken = try await server.http.get("/api/v1/sessions?limit=1000").json()["sessions"]?.array ?? []
        #expect(taken.count > 50, "hardly anything came so far as to be a frame")
        try await expectSound()
    }

    /// A client's binary frame, with a mask of zeros.
    private static func frame(_ content: [UInt8]) -> [UInt8] {
        let length =
            content.count < 126
            ? [0x80 | UInt8(content.count)] : [0xfe, UInt8(content.count >> 8), UInt8(content.count & 255)]
        return [0x82] + length + [0, 0, 0, 0] + content
    }

    /// The server answers, and its archive has no problems.
    private func expectSound() async throws {
        #expect(try await server.http.get("/healthz").status == 200)
        #expect(try await server.http.get("/api/v1/sessions").status == 200)
        server.stop()
        _ = try ArchiveCheck.run(.folder(folder.url), logger: PrivatePostgres.logger) {
            Issue.record("\($0)")
        } progress: { _ in
        }
    }
}
