import Foundation
import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

/// Real links to a real server that break, hang and overlap.
@Suite(.timeLimit(.minutes(2))) struct LinkFaultTests {
    private let session = Sample.header().session
    private static let seed = ProcessInfo.processInfo.environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1

    /// The session's lines in the archive.
    private func lines(_ server: TestServer) async throws -> [[UInt8]] {
        Array(try await server.http.get(TestServer.session + "/tape").lines.dropFirst())
    }

    @Test("A connection that ends inside a frame keeps the complete messages before it, and nothing of the cut one")
    func cut() async throws {
        let server = try TestServer()
        let tape = Sample.counting(to: 200)
        var chance = Chance(Self.seed)
        var have = 0
        while have < tape.count {
            var bytes = Self.frame(AppLine.hello(Sample.hello()).bytes)
            var sent = 0
            for line in tape[have...].prefix(20) {
                // A message may have several frames, and be cut between two of them.
                let middle = chance.below(line.bytes.count)
                bytes += Self.frame(Array(line.bytes[..<middle]), isLast: false)
                bytes += Self.frame(Array(line.bytes[middle...]), isFirst: false)
                sent += 1
            }
            let isWhole = chance.once(in: 3)
            let end = isWhole ? bytes.count : bytes.count - 1 - chance.below(60)
            try await server.http.raw(Array(bytes[..<end]), after: Self.upgrade)
            let app = await server.app()
            let now = try await app.welcome().have
            app.close()
            _ = await app.closed()
            // A server that is still busy with the hello may see the end before the messages.
            try #require(
                now >= have && (isWhole ? now <= have + sent : now < have + sent),
                "STATETAPE_SEED=\(Self.seed): \(now) of \(have)…\(have + sent)")
            have = now
        }
        #expect(try await lines(server) == tape.map(\.bytes))
    }

    @Test("A new connection gets everything that the old one sent before, and nothing that it sends later")
    func overlapping() async throws {
        let server = try TestServer()
        // Both connections send the same events, each with its own mark.
        func line(_ seq: Int, _ link: Int) -> [UInt8] {
            Sample.full(seq, ["link": .number(.init(link)), "seq": .number(.init(seq))]).bytes
        }
        var acknowledged: [Int: [UInt8]] = [:]
        var have = 0
        var old: TestPeer?
        for link in 1...12 {
            let app = await server.app(Sample.hello(attempt: link))
            // While this connection opens, the previous one continues to send as fast as it can.
            if let old { for seq in have..<have + 200 { old.send([line(seq, link - 1)]) } }
            let welcome = try await app.welcome()
            for seq in have..<welcome.have { acknowledged[seq] = line(seq, link - 1) }
            #expect(welcome.have >= have)
            have = welcome.have
            for seq in have..<have + 10 {
                app.send([line(seq, link)])
                acknowledged[seq] = line(seq, link)
            }
            try await app.acknowledged(have + 10)
            have += 10
            // If it was still sending, the resulting reset may overtake the close code.
            if let old {
                let code = await old.closed().code
                #expect(code == 4004 || code == nil)
            }
            // Another key changes nothing at any time.
            if link % 4 == 0 {
                #expect(await server.app(Sample.hello(key: "other", attempt: 99)).closed().code == 4006)
            }
            old = app
        }
        old?.close()
        _ = await old?.closed()
        let tape = try acknowledged.sorted { $0.key < $1.key }.map { try EventLine(parsing: $0.value) }
        let fault = SentTape(header: Sample.header(), lines: tape).fault(in: try await lines(server))
        #expect(fault == nil)
    }

    @Test("Resent parts of a tape, in any order, store each event once and in order")
    func resent() async throws {
        let server = try TestServer()
        let tape = Sample.counting(to: 300)
        var chance = Chance(Self.seed)
        var have = 0
        while have < tape.count {
            let app = await server.app()
            #expect(try await app.welcome().have == have, "STATETAPE_SEED=\(Self.seed)")
            let welcomed = have
            var isHole = false
            for _ in 0..<12 where !isHole {
                // Usually from before the end of the stored events; sometimes from after it, which leaves a hole.
                isHole = have + 1 < tape.count && chance.once(in: 10)
                let first = isHole ? have + 1 + chance.below(5) : chance.below(have + 1)
                let end = min(first + 1 + chance.below(40), tape.count)
                guard first < end else { continue }
                app.send(tape[first..<end].map(\.bytes))
                if !isHole { have = max(have, end) }
            }
            if isHole {
                #expect(await app.closed().code == 4005)
            } else {
                if have > welcomed { try await app.acknowledged(have) }
                app.close()
                _ = await app.closed()
            }
        }
        #expect(try await lines(server) == tape.map(\.bytes))
    }

    @Test("A peer that vanished silently is dropped, and its session is no longer live")
    func vanished() async throws {
        let server = try TestServer {
            $0.timing.ping = .seconds(1)
            $0.timing.drop = .seconds(5)
        }
        let ghost = try RawPeer(port: server.server.port)
        ghost.ask(Self.upgrade)
        ghost.send(Self.frame(AppLine.hello(Sample.hello()).bytes) + Self.frame(Sample.start(0).bytes))
        try await server.until { try await $0.get(TestServer.session).json()["live"] == true }
        // An app that answers pings stays connected.
        let other = Sample.header("SESSION-0002")
        let quiet = await server.app(Sample.hello(other))
        _ = try await quiet.welcome()
        try await server.until { try await $0.get(TestServer.session).json()["live"] == false }
        #expect(try await server.http.get("/api/v1/sessions/SESSION-0002").json()["live"] == true)
        #expect(try await server.http.get(TestServer.session).json()["events"] == 1)
    }

    @Test(
        "Apps that flood a server that can't write must wait: memory stays bounded, and all events arrive",
        .enabled(if: Engine.isSQLite)
    )
    func flood() async throws {
        let server = try TestServer { $0.timing.retry = .milliseconds(20) }
        let text = JSON.string(String(repeating: "x", count: 100_000))
        var apps: [TestPeer] = []
        for number in 1...4 {
            let app = await server.app(Sample.hello(Sample.header("SESSION-000\(number)")))
            _ = try await app.welcome()
            apps.append(app)
        }
        let blocker = try Blocker(server.folder.url)
        let each = 60
        for app in apps { for seq in 0..<each { app.send([Sample.full(seq, text).bytes]) } }
        // The server reads up to its limit, and no more once it knows that it can't write.
        try await server.until { try await $0.get("/healthz").status == 503 }
        var most = 0
        for _ in 0..<50 { most = max(most, try await Self.waiting(server.http)) }
        #expect(most > 0 && most < 40 << 20)
        try blocker.end()
        for app in apps { try await app.acknowledged(each) }
        for number in 1...4 {
            #expect(
                try await server.http.get("/api/v1/sessions/SESSION-000\(number)").json()["events"]?.int == each)
        }
        #expect(try await Self.waiting(server.http) == 0)
    }

    /// Bytes queued for a commit.
    private static func waiting(_ http: HTTPClient) async throws -> Int {
        let line = try await http.get("/metrics").text.split(separator: "\n").first {
            $0.hasPrefix("statetape_commit_queue_bytes ")
        }
        return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
    }

    static let upgrade = Array(
        """
        GET /v1/app HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: statetape.v1\r\n\r\n
        """.utf8)

    /// A frame as a client sends it, with a mask of zeros.
    static func frame(_ content: [UInt8], isFirst: Bool = true, isLast: Bool = true) -> [UInt8] {
        let length =
            content.count < 126
            ? [0x80 | UInt8(content.count)] : [0xfe, UInt8(content.count >> 8), UInt8(content.count & 255)]
        return [(isLast ? 0x80 : 0) | (isFirst ? 2 : 0)] + length + [0, 0, 0, 0] + content
    }
}
