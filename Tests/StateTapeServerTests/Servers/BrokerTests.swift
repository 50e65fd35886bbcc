import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("What servers with one database tell each other", .timeLimit(.minutes(2))) struct BrokerTests {
    private let session = TestServer.session

    @Test("PeerNotice are read back as they were written, in any combination")
    func news() throws {
        var all = PeerNotice(committed: ["a", "b"], changed: ["c"], deleted: ["d"], apps: ["e"], runs: true)
        all.wanted = ["s": ["main", "\u{0}"]]
        all.requests = ["one"]
        all.answers = ["r"]
        #expect(PeerNotice(try JSON(parsing: all.json.text)) == all)
        #expect(
            PeerNotice().json == [:] && PeerNotice().isEmpty && PeerNotice([:]).isEmpty && PeerNotice(.null).isEmpty)
        // A commit changes a session too; it is named once.
        #expect(PeerNotice(committed: ["a"], changed: ["a"]).json == ["committed": ["a"]])
        var merged = PeerNotice(committed: ["a"])
        merged.wanted = ["s": ["x"]]
        merged.merge(all)
        #expect(merged.wanted["s"] == ["main", "\u{0}", "x"] && merged.runs)
        #expect(PeerNotice(["wanted": ["s": 1], "committed": "a", "later": true]).committed.isEmpty)
    }

    @Test("Without wake-ups a server reads at intervals, and its viewers get the same events")
    func polling() async throws {
        let group = try ServerGroup { number, configuration in configuration.timing.peers.listens = number == 0 }
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded(Sample.counting(to: 3))
        for seq in 0..<3 { #expect(try await viewer.event()["seq"]?.int == seq) }
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": 1])
        let push = try await app.push()
        app.send([
            AppLine.pushed(
                Pushed(
                    id: push.id,
                    result: .failed(Pushed.Failure(code: .decode, message: "no")))
            ).bytes
        ])
        #expect(try await answer.status == 422)
        let metrics = try await group.b.http.get("/metrics").text
        #expect(metrics.contains("statetape_listening 0\n") && !metrics.contains("statetape_news_polls_total 0\n"))
        app.close()
    }

    @Test("After its connections were cut again and again, a server misses nothing")
    func cut() async throws {
        let group = try ServerGroup()
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded([Sample.start(0)])
        let server = try PrivatePostgres.shared.get()
        for seq in 1..<20 {
            try server.run(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND query LIKE '%news%' AND application_name LIKE 'statetape%'
                """)
            app.send([Sample.count(seq, to: seq).bytes])
        }
        for seq in 0..<20 { #expect(try await viewer.event()["seq"]?.int == seq) }
        app.close()
    }

    @Test("A server that misses news closes the viewers of its list, which load it again; others get their events")
    func missed() async throws {
        // Never woken, and read once more only when this test asks for something.
        let group = try ServerGroup { number, configuration in
            if number == 1 {
                (configuration.timing.peers.listens, configuration.timing.peers.poll) = (false, .milliseconds(300))
            }
        }
        let list = try await group.viewer(group.b)
        let events = await group.b.viewer()
        events.send([ViewerRequest.watch(session: Sample.header().session).bytes])
        _ = try await events.watching()
        let app = try await group.a.recorded([Sample.start(0)])
        try await group.known(group.b)
        var seq = 1
        let ended = Locked(false)
        let close = Task {
            _ = await list.closed()
            ended.withLock { $0 = true }
        }
        while !ended.withLock({ $0 }) {
            app.send([Sample.count(seq, to: seq).bytes])
            try await app.acknowledged(seq + 1)
            try group.run(
                "DELETE FROM news WHERE number < (SELECT max(number) FROM news n WHERE n.server = news.server)")
            seq += 1
            try Task.checkCancellation()
        }
        await close.value
        for number in 0..<seq { #expect(try await events.event()["seq"]?.int == number) }
        app.close()
    }

    @Test("One server at a time does the work for all, another one takes it over, and lost sessions are sealed")
    func leader() async throws {
        let group = try ServerGroup(3)
        func leaders() async throws -> [Int] {
            var found: [Int] = []
            for (number, server) in group.servers.enumerated()
            where try await server.http.get("/metrics").text.contains("statetape_leader 1\n") {
                found.append(number)
            }
            return found
        }
        while try await leaders().isEmpty { try Task.checkCancellation() }
        let first = try await leaders()
        #expect(first.count == 1)
        // Lines that a server left which ended.
        let archive = try PostgresArchive(
            PostgresAddress(group.address), sync: .normal, logger: PrivatePostgres.logger)
        let opening = SessionOpening(header: Sample.header(), keyHash: [1], owner: "gone")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
            return #expect(Bool(false))
        }
        _ = try archive.commit(
            [.append(Batch(session: session.row, owner: "gone", lines: Sample.counting(to: 300)))], received: 0)
        try archive.keep(["status": "running"], of: session.row)
        try archive.close()
        try await group.a.until { try await $0.get(self.session).json()["sealed"] == 300 }
        try await group.a.until { try await $0.get(self.session).json()["replay"]?["status"] == "lost" }
        let leader = try #require(first.first)
        group.servers[leader].server.stop()
        let others = group.servers.enumerated().filter { $0.offset != leader }.map(\.element)
        var found = 0
        while found == 0 {
            for server in others
            where try await server.http.get("/metrics").text.contains("statetape_leader 1\n") {
                found += 1
            }
            try Task.checkCancellation()
        }
        #expect(found == 1)
    }
}
