import Foundation
import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("Servers with one database, of which some fail", .timeLimit(.minutes(4))) struct ServerFaultTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1
    private static let kills = environment["STATETAPE_KILLS"].flatMap { Int($0) } ?? 10

    private let session = TestServer.session
    private let id = Sample.header().session

    @Test("Killed one after another under load, the servers have every acknowledged event once and in order")
    func kills() async throws {
        let address = try PrivatePostgres.shared.get().makeSchema()
        var servers = try (0..<3).map { _ in try SharedServer(address) }
        let killings = Killings()
        for server in servers { killings.begin(server.port) }
        let loop = try EventLoop()
        defer { loop.stop() }
        async let recorded = withTaskGroup(of: RestlessApp.self) { group in
            for number in 0..<3 {
                group.addTask {
                    var app = RestlessApp(number, seed: Self.seed, killings, on: loop)
                    await app.run()
                    return app
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var chance = Chance(Self.seed)
        for _ in 0..<Self.kills {
            let number = chance.below(servers.count)
            await killings.arm(after: chance.below(60), servers[number].identifier, at: servers[number].port)
            servers[number].kill()
            servers[number] = try SharedServer(address)
            killings.begin(servers[number].port)
        }
        killings.end()
        let apps = await recorded
        #expect(apps.reduce(0) { $0 + $1.losses } > 0)
        let reader = try SharedServer(address)
        for tape in apps.flatMap(\.sent) {
            let found = try await reader.http.get("/api/v1/sessions/\(tape.id)/tape")
            if let fault = tape.fault(in: Array(found.lines.dropFirst())) {
                Issue.record("STATETAPE_SEED=\(Self.seed): \(tape.id): \(fault)")
            }
        }
    }

    @Test("The sessions of a stopped or killed server aren't live; what moved meanwhile stays where it went")
    func stopped() async throws {
        let group = try ServerGroup(1) { $1.timing.peers.lease = .seconds(6) }
        let other = try SharedServer(group.address)
        let moving = await other.app()
        moving.send([AppLine.hello(Sample.hello(attempt: 1)).bytes])
        _ = try await moving.welcome()
        moving.send(Sample.counting(to: 5).map(\.bytes))
        try await moving.acknowledged(5)
        let staying = await other.app()
        let header = Sample.header("STAYING-0001")
        staying.send([AppLine.hello(Sample.hello(header)).bytes])
        _ = try await staying.welcome()
        staying.send(Sample.counting(to: 300).map(\.bytes))
        try await staying.acknowledged(300)
        func live(_ isLive: Bool) async throws {
            try await group.a.until {
                try await $0.get("/api/v1/sessions/\(header.session)").json()["live"] == .bool(isLive)
            }
        }
        try await live(true)

        other.signal(SIGSTOP)
        let app = await group.a.app(Sample.hello(attempt: 2))
        #expect(try await app.welcome().have == 5)
        moving.send((5..<8).map { Sample.count($0, to: 100).bytes })
        let lines = Sample.counting(to: 10)
        app.send(lines[5...].map(\.bytes))
        try await app.acknowledged(10)
        try await live(false)
        other.signal(SIGCONT)
        #expect(await moving.closed().code == 4004)
        try await live(true)
        app.send([Sample.count(10, to: 10).bytes])
        try await app.acknowledged(11)
        #expect(try await other.http.get(session + "/events").lines == Sample.counting(to: 11).map(\.bytes))
        staying.send([Sample.count(300, to: 300).bytes])
        try await staying.acknowledged(301)

        other.kill()
        try await live(false)
        try await group.a.until {
            try await $0.get("/api/v1/sessions/\(header.session)").json()["sealed"] == 301
        }
        app.close()
    }

    @Test("While the server that leads is halted, another one leads")
    func halted() async throws {
        let address = try PrivatePostgres.shared.get().makeSchema()
        let first = try SharedServer(address)
        func leads(_ http: HTTPClient) async throws -> Bool {
            try await http.get("/metrics").text.contains("statetape_leader 1\n")
        }
        while try await !leads(first.http) { try Task.checkCancellation() }
        let second = try TestServer {
            $0.database = try? DatabaseAddress(address)
            ($0.timing.peers.beat, $0.timing.peers.lease) = (.milliseconds(100), .seconds(4))
        }
        first.signal(SIGSTOP)
        try await second.until(leads)
        first.signal(SIGCONT)
        while try await leads(first.http) { try Task.checkCancellation() }
        #expect(try await leads(second.http))
    }

    /// What keeps servers from their database for a while.
    enum Interruption: CaseIterable, Sendable {
        case crash, cut

        var count: Int { self == .crash ? 2 : 8 }

        func happen(to database: PrivatePostgres) throws {
            switch self {
            case .crash:
                try database.crash()
                try database.start()
            case .cut:
                try database.run(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND application_name LIKE 'statetape%'
                    """)
            }
        }
    }

    @Test(
        "After interruptions of the database under load all goes on by itself, and viewers get each event once",
        arguments: Interruption.allCases)
    func interrupted(_ interruption: Interruption) async throws {
        let database = try PrivatePostgres()
        defer { withExtendedLifetime(database) {} }
        let group = try ServerGroup(on: database)
        let app = await group.a.app(Sample.hello())
        _ = try await app.welcome()
        var viewers: [TestPeer] = []
        for server in group.servers {
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watch(session: id).bytes])
            #expect(try await viewer.watching() == 0)
            viewers.append(viewer)
        }
        let stored = Locked(0)
        let isOver = Locked(false)
        async let recorded = {
            var next = 0
            while !isOver.withLock({ $0 }) {
                app.send((next..<next + 5).map { ($0 == 0 ? Sample.start(0) : Sample.count($0, to: $0)).bytes })
                next += 5
                try await app.acknowledged(next)
                stored.withLock { [next] in $0 = next }
            }
            return next
        }()
        for _ in 0..<interruption.count {
            let before = stored.withLock { $0 }
            while stored.withLock({ $0 }) < before + 20 {
                try Task.checkCancellation()
                await Task.yield()
            }
            try interruption.happen(to: database)
        }
        isOver.withLock { $0 = true }
        let count = try await recorded
        for viewer in viewers {
            for seq in 0..<count { #expect(try await viewer.event()["seq"]?.int == seq) }
        }
        let found = try await group.b.http.get(session + "/tape").lines.dropFirst()
        #expect(Array(found) == Sample.counting(to: count).map(\.bytes))

        try await group.known(group.b)
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": ["n": 1]])
        let push = try await app.push()
        app.send([
            Sample.full(count, ["n": 1]).bytes,
            AppLine.pushed(Pushed(id: push.id, result: .played(seq: count))).bytes,
        ])
        #expect(try await answer.json()["seq"]?.int == count)
        app.close()
    }

    @Test(
        "While a table, a column or the schema is missing, nothing is acknowledged and the server says why",
        arguments: [
            ("TABLE batch RENAME TO away", "TABLE away RENAME TO batch"),
            ("TABLE progress RENAME COLUMN next TO away", "TABLE progress RENAME COLUMN away TO next"),
            ("SCHEMA s RENAME TO away", "SCHEMA away RENAME TO s"),
        ])
    func missing(take: String, putBack: String) async throws {
        let group = try ServerGroup(1) { $1.timing.retry = .milliseconds(50) }
        let app = try await group.a.recorded([Sample.start(0)])
        let connection = try group.connect()
        let schema = try connection.run("SELECT current_schema() AS name")[0].text("name")
        func alter(_ what: String) throws {
            try connection.runScript("ALTER " + what.replacing("SCHEMA s ", with: "SCHEMA \(schema) "))
        }
        try alter(take)
        app.send(Sample.counting(to: 5)[1...].map(\.bytes))
        try await group.a.until {
            let health = try await $0.get("/healthz")
            return health.status == 503 && health.text.contains("does not exist")
        }
        try alter(putBack.replacing("TO s", with: "TO \(schema)"))
        try await app.acknowledged(5)
        try await group.a.until { try await $0.get("/healthz").status == 200 }
        app.close()
    }

    @Test("A table that is missing for a while sets no session's sealing aside")
    func unsealable() async throws {
        let group = try ServerGroup(1)
        group.a.server.stop()
        let archive = try PostgresArchive(
            PostgresAddress(group.address), sync: .normal, logger: PrivatePostgres.logger)
        let opening = SessionOpening(header: Sample.header(), keyHash: [1], owner: "gone")
        guard case .opened(let session)? = try archive.commit([.open(opening)], received: 0).first else {
            return #expect(Bool(false))
        }
        let batch = Batch(session: session.row, owner: "gone", lines: Sample.counting(to: 300))
        _ = try archive.commit([.append(batch)], received: 0)
        try archive.close()
        try group.run("ALTER TABLE batch RENAME TO away")
        func failures() throws -> Int {
            try group.run("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()")[0]
                .int("xact_rollback")
        }
        let before = try failures()
        let address = group.address
        let server = try TestServer { configuration in
            configuration.database = try? DatabaseAddress(address)
            configuration.timing.retry = .milliseconds(20)
            configuration.timing.peers.beat = .milliseconds(50)
            configuration.timing.peers.lease = .milliseconds(200)
            configuration.timing.peers.maintenance = .milliseconds(50)
        }
        while try failures() < before + 4 { try Task.checkCancellation() }
        try group.run("ALTER TABLE away RENAME TO batch")
        try await server.sealed(300)
    }

    @Test("An upload to a server that is killed in the middle is finished at another one, whole")
    func upload() async throws {
        let group = try ServerGroup(1)
        let other = try SharedServer(group.address)
        let tape = SentTape(header: Sample.header(), lines: Sample.counting(to: 20_000))
        let bytes = tape.bytes()
        let half = Array(bytes[..<(bytes.count / 2)])
        let http = other.http
        async let cut = http.send("POST", "/api/v1/sessions", bytes: half, announced: bytes.count)
        var next = 0
        while next == 0 {
            let path = "/api/v1/sessions?session=\(tape.id)&from=\(Limits.seq)"
            next = try await group.a.http.send("POST", path).json()["next"]?.int ?? 0
            try Task.checkCancellation()
        }
        other.kill()
        _ = try? await cut
        #expect(try await group.a.http.get(session).status == 404)
        let probe = "/api/v1/sessions?session=\(tape.id)&from="
        next = Limits.seq
        var answer: HTTPClient.Response
        repeat {
            try Task.checkCancellation()
            // The database may still commit what the killed server sent last.
            answer = try await group.a.http.send("POST", probe + "\(next)", bytes: tape.bytes(from: next))
            next = try answer.json()["next"]?.int ?? 0
        } while answer.status == 409
        #expect(answer.status == 201, "\(answer.text)")
        let found = try await group.a.http.get(session + "/tape").lines
        #expect(Array(found.dropFirst()) == tape.lines.map(\.bytes))
    }

    @Test("Servers that start together on an empty database all run, and record into the same archive")
    func together() async throws {
        let address = try PrivatePostgres.shared.get().makeSchema()
        let servers = try await withThrowingTaskGroup(of: TestServer.self) { group in
            for _ in 0..<4 {
                group.addTask { try TestServer { $0.database = try? DatabaseAddress(address) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, server) in servers.enumerated() {
            let hello = Sample.hello(Sample.header("SESSION-000\(number)"))
            try await server.recorded(Sample.counting(to: 2), hello).close()
        }
        for server in servers {
            let list = try await server.http.get("/api/v1/sessions").json()["sessions"]?.array
            #expect(list?.count == servers.count)
        }
    }

    @Test("A newer version's tables refuse a server that starts, with one sentence, and those that run go on")
    func newer() async throws {
        let group = try ServerGroup()
        let app = try await group.a.recorded(Sample.counting(to: 2))
        let latest = try group.run("SELECT max(number) AS latest FROM migration")[0].int("latest")
        try group.run("INSERT INTO migration VALUES (\(latest + 1))")
        let error = #expect(throws: ServerError.self) {
            try TestServer { $0.database = try? DatabaseAddress(group.address) }
        }
        #expect(error?.code == .newerDatabase)
        #expect(error?.description.hasSuffix("was written by a newer version of StateTape.") == true)
        app.send([Sample.count(2, to: 2).bytes])
        try await app.acknowledged(3)
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": 1])
        let push = try await app.push()
        let failure = Pushed.Failure(code: .decode, message: "no")
        app.send([AppLine.pushed(Pushed(id: push.id, result: .failed(failure))).bytes])
        #expect(try await answer.status == 422)
        app.close()
    }

    @Test(
        "Of two connections of an app that reach two servers at once, one goes on, and each event is stored once",
        arguments: [true, false])
    func rivals(_ isNumbered: Bool) async throws {
        let group = try ServerGroup()
        let lines = Sample.counting(to: 60)
        for round in 0..<8 {
            let header = Sample.header("SESSION-\(1_000 + round)")
            func connect(_ number: Int) async -> TestPeer {
                let attempt = isNumbered ? 1 + (number + round) % 2 : nil
                return await group.servers[number].app(Sample.hello(header, attempt: attempt))
            }
            async let (one, two) = (connect(0), connect(1))
            let peers = await [one, two]
            func stored() async throws -> [[UInt8]] {
                try await group.b.http.get("/api/v1/sessions/\(header.session)/events").lines
            }
            let loser = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for (number, peer) in peers.enumerated() {
                    tasks.addTask {
                        if let have = try? await peer.welcome().have { peer.send(lines[have..<50].map(\.bytes)) }
                        #expect(await peer.closed().code == (Task.isCancelled ? nil : 4004))
                        return number
                    }
                }
                let loser = try await tasks.next() ?? 0
                while try await stored().count < 50 { try Task.checkCancellation() }
                peers[1 - loser].send(lines[50...].map(\.bytes))
                while try await stored().count < 60 { try Task.checkCancellation() }
                tasks.cancelAll()
                return loser
            }
            if isNumbered { #expect(loser == round % 2, "the older connection has won") }
            #expect(try await stored() == lines.map(\.bytes))
            peers[1 - loser].close()
        }
    }
}
