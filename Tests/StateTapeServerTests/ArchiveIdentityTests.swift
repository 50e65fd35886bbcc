import Foundation
import SampleTapes
import StateTapeStore
import TapeFormat
import Testing

@testable import StateTape
@testable import StateTapeServer
@testable import TapeArchive

@Suite("The archive's id, by which apps know a server again", .timeLimit(.minutes(2)))
struct ArchiveIdentityTests {
    private func welcome(_ server: TestServer, _ hello: Hello = Sample.hello()) async throws -> Welcome {
        try await server.app(hello).welcome()
    }

    @Test("It stays with the data, and another archive has another one", arguments: Engine.allCases)
    func stays(_ engine: Engine) throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        var ids: [String] = []
        for place in [folder, folder, other] {
            let archive = try engine.open(place.url)
            ids.append(archive.id)
            try archive.close()
        }
        #expect(ids[0].count == 32 && ids[0] == ids[1] && ids[0] != ids[2])
    }

    @Test("A welcome has it, and says whether the server is private")
    func welcomes() async throws {
        let folder = TemporaryFolder()
        var ids: Set<String?> = []
        for isPrivate in [false, true] {
            let server = try TestServer(in: folder) { $0.isPrivate = isPrivate }
            let welcome = try await welcome(server)
            #expect(welcome.isPrivate == isPrivate)
            ids.insert(welcome.archive)
            server.server.stop()
        }
        #expect(ids.count == 1 && ids.first??.count == 32)
    }

    @Test("Servers that share a database have one id")
    func shared() async throws {
        let group = try ServerGroup()
        let (a, b) = (try await welcome(group.a), try await welcome(group.b))
        #expect(a.archive == b.archive && a.archive?.count == 32)
    }

    @Test("A session that was recorded for another archive is refused with 4011, and nothing of it is kept")
    func refused() async throws {
        let server = try TestServer()
        var hello = Sample.hello()
        hello.archive = "another"
        let app = await server.app(hello)
        #expect(await app.closed().code == 4011)
        #expect(try await server.http.get(TestServer.session).status == 404)
        hello.archive = try await welcome(server, Sample.hello(Sample.header("01JD3M8Q5R7V2X9B4N6T0KZYW9"))).archive
        #expect(try await welcome(server, hello).have == 0)
    }
}

/// Real servers and a real recorder with a spool.
@Suite("Recordings that wait, and the servers that come", .timeLimit(.minutes(2)))
struct WaitingRecordingTests {
    private enum Counting: Codable { case add }

    private struct Launch {
        let messages = Locked<[String]>([])
        let recorder: Recorder
        let track: Track<Int, Counting>

        init(_ url: String, _ spool: TemporaryFolder) {
            let messages = messages
            recorder = Recorder(
                .test(url: url, allowRelease: true, spool: spool.url) { text in
                    messages.withLock { $0.append(text) }
                })
            track = recorder.track(0, Counting.self)
        }

        func record(_ count: Int) {
            var state = track.start
            for _ in 0..<count { track.record(.add, &state) { $0 += 1 } }
            recorder.settle()
        }

        func said(_ text: String) async throws {
            while !messages.withLock({ $0.contains { $0.contains(text) } }) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private func sessions(_ server: TestServer) async throws -> [JSON] {
        try await server.http.get("/api/v1/sessions").json()["sessions"]?.array ?? []
    }

    /// A port of this machine where nothing listens.
    private func freePort() throws -> Int {
        let server = try TestServer()
        defer { server.server.stop() }
        return server.server.port
    }

    @Test("A private server takes nothing that was recorded for another one, and the other one gets it later")
    func waits() async throws {
        let (spool, port) = (TemporaryFolder(), try freePort())
        do {
            let launch = Launch("http://127.0.0.1:\(port)/", spool)
            launch.record(12)
            launch.recorder.finish(timeout: .zero)
        }
        do {
            let other = try TestServer { $0.isPrivate = true }
            let launch = Launch(other.server.appURL, spool)
            try await launch.said("waits on this machine for http://localhost:\(port)")
            launch.recorder.finish(timeout: .seconds(20))
            #expect(try await sessions(other).count == 1)
        }
        let own = try TestServer { $0.port = port }
        let launch = Launch("http://127.0.0.1:\(port)/", spool)
        try await launch.said("Delivered the last events")
        launch.recorder.finish(timeout: .seconds(20))
        // A store that goes away while its recorder ends may be noted, or not.
        var actions: [Int] = []
        for session in try await sessions(own) {
            let answer = try await own.http.get("/api/v1/sessions/\(session["session"]?.string ?? "")/events")
            let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            actions.append(lines.count { $0.contains(#""event":"action""#) })
        }
        #expect(actions.sorted() == [0, 12])
    }

    @Test("What was recorded for a private server goes to no other one, even if no server has answered")
    func stays() async throws {
        let spool = TemporaryFolder()
        let data = TemporaryFolder()
        let (port, url) = try {
            let server = try TestServer(in: data) { $0.isPrivate = true }
            defer { server.server.stop() }
            return (server.server.port, server.server.appURL)
        }()
        do {
            let launch = Launch(url, spool)
            launch.record(3)
            launch.recorder.finish(timeout: .zero)
        }
        do {
            // The team's server got the same port.
            let team = try TestServer { $0.port = port }
            let launch = Launch("http://127.0.0.1:\(port)/", spool)
            try await launch.said("waits on this machine for a private server")
            launch.recorder.finish(timeout: .seconds(20))
            #expect(try await sessions(team).count == 1)
            team.server.stop()
        }
        let server = try TestServer(in: data) {
            $0.isPrivate = true
            $0.port = port
        }
        let launch = Launch(url, spool)
        try await launch.said("Delivered the last events")
        #expect(try await sessions(server).count == 2)
        launch.recorder.finish(timeout: .seconds(20))
    }
}
