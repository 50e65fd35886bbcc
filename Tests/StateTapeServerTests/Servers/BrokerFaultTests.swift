import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("What servers with one database do about lost news and late answers", .timeLimit(.minutes(2)))
struct BrokerFaultTests {
    private let session = TestServer.session
    private let id = Sample.header().session

    private func events(_ viewer: TestPeer, _ seqs: Range<Int>) async throws {
        for seq in seqs { #expect(try await viewer.event()["seq"]?.int == seq) }
    }

    private func watch(_ viewer: TestPeer) async throws {
        viewer.send([ViewerRequest.watch(session: id).bytes])
        _ = try await viewer.watching()
    }

    private let refusal = Pushed.Result.failed(Pushed.Failure(code: .decode, message: "no"))

    @Test("Events whose news were lost in a crash of the database reach the viewers of other servers")
    func lostNews() async throws {
        let database = try PrivatePostgres()
        defer { withExtendedLifetime(database) {} }
        let group = try ServerGroup(1, on: database)
        let other = try SharedServer(group.address)
        let viewer = await other.viewer()
        try await watch(viewer)
        let app = try await group.a.recorded([Sample.start(0)])
        try await events(viewer, 0..<1)
        other.signal(SIGSTOP)
        func told() throws -> Int {
            let news =
                "SELECT count(*) AS count FROM news WHERE position('committed' IN convert_from(body, 'UTF8')) > 0"
            return try group.run(news)[0].int("count")
        }
        let before = try told()
        app.send(Sample.counting(to: 5)[1...].map(\.bytes))
        try await app.acknowledged(5)
        while try told() == before { try Task.checkCancellation() }
        try database.crash()
        try database.start()
        other.signal(SIGCONT)
        try await events(viewer, 1..<5)
        app.close()
    }

    @Test("A server without apps says in /healthz that its database is away, and that it is back")
    func idle() async throws {
        let database = try PrivatePostgres()
        defer { withExtendedLifetime(database) {} }
        let group = try ServerGroup(1, on: database) { $1.timing.place = .milliseconds(50) }
        try await group.a.until { try await $0.get("/metrics").text.contains("statetape_listening 1\n") }
        try database.crash()
        try await group.a.until {
            let health = try await $0.get("/healthz")
            return health.status == 503 && health.text.contains("can't be reached")
        }
        for (method, body) in [("GET", nil), ("PATCH", ["title": "a"]), ("DELETE", nil)] as [(String, JSON?)] {
            let answer = try await group.a.http.send(method, TestServer.session, body: body)
            #expect(answer.status == 503 && answer.code == "archive", "\(method) \(answer.text)")
        }
        try database.start()
        try await group.a.until { try await $0.get("/healthz").status == 200 }
    }

    @Test("Events of a server that died before it told of them reach the viewers of others")
    func untold() async throws {
        let group = try ServerGroup { number, configuration in
            configuration.timing.peers.lease = .seconds(3_600)
            // The first server says once that it is alive, and tells once.
            guard number == 0 else { return }
            configuration.timing.peers.wake = .seconds(3_600)
            configuration.timing.peers.beat = .seconds(3_600)
        }
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded([Sample.start(0)])
        try await group.b.until { try await $0.get(TestServer.session).json()["live"] == true }
        app.send(Sample.counting(to: 5)[1...].map(\.bytes))
        try await app.acknowledged(5)
        // The second one says again that it is alive.
        try group.run("UPDATE server SET seen = seen - interval '2 hours'")
        try await events(viewer, 0..<5)
        app.close()
    }

    @Test("The row of an app that its server doesn't hold yet stays for the time of a lease")
    func unheld() async throws {
        let group = try ServerGroup(1)
        try await group.a.recorded(Sample.counting(to: 2)).close()
        let connection = try group.connect()
        let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        try connection.run("CREATE TABLE gone (owner bytea, at bigint)")
        try connection.run(
            """
            CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO gone VALUES (OLD.owner, \(now));
                RETURN OLD;
            END $$
            """)
        try connection.run("CREATE TRIGGER gone AFTER DELETE ON app FOR EACH ROW EXECUTE FUNCTION note_gone()")
        try group.alive()
        let began = try connection.run("SELECT \(now) AS now")[0].int("now")
        try connection.run(
            """
            INSERT INTO app (session, owner, server, attempt, status)
            SELECT row, 'new', (SELECT id FROM server), 1, 'null' FROM session
            ON CONFLICT (session) DO UPDATE SET owner = excluded.owner
            """)
        var found: PostgresRows
        repeat {
            try Task.checkCancellation()
            found = try connection.run("SELECT at FROM gone WHERE owner = 'new'")
        } while found.isEmpty
        #expect(try found[0].int("at") - began > 1_900)
    }

    @Test("While a connection that was cut can't be replaced, news are read through the others")
    func cut() async throws {
        let database = try PrivatePostgres()
        defer { withExtendedLifetime(database) {} }
        let group = try ServerGroup(on: database)
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded([Sample.start(0)])
        try await events(viewer, 0..<1)
        let connection = try group.connect()
        let rules = try connection.run("SELECT current_setting('hba_file') AS file")[0].text("file")
        func setRule(_ rule: String) throws {
            try connection.runScript("COPY (SELECT 'local all all \(rule)') TO '\(rules)'; SELECT pg_reload_conf()")
        }
        try setRule("reject")
        while (try? group.connect()) != nil { try Task.checkCancellation() }
        try connection.run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name = 'statetape listens'
            """)
        app.send(Sample.counting(to: 5)[1...].map(\.bytes))
        try await events(viewer, 1..<5)
        try await group.b.until { try await $0.get("/metrics").text.contains("statetape_listening 0\n") }
        // Requests and answers, too.
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": 1])
        app.send([AppLine.pushed(Pushed(id: try await app.push().id, result: refusal)).bytes])
        #expect(try await answer.status == 422)
        try setRule("trust")
        try await group.b.until { try await $0.get("/metrics").text.contains("statetape_listening 1\n") }
        app.close()
    }

    @Test("Events that a server couldn't read when it was told of them reach its viewers once it can")
    func unreadable() async throws {
        let group = try ServerGroup { $1.timing.retry = .milliseconds(50) }
        let viewer = await group.b.viewer()
        try await watch(viewer)
        let app = try await group.a.recorded([Sample.start(0)])
        try await events(viewer, 0..<1)
        func received() async throws -> Substring? {
            try await group.b.http.get("/metrics").text.split(separator: "\n").first {
                $0.hasPrefix("statetape_wakeups_received_total ")
            }
        }
        let before = try await received()
        let connection = try group.connect()
        try connection.runScript("BEGIN; LOCK TABLE news IN ACCESS EXCLUSIVE MODE")
        app.send([Sample.count(1, to: 1).bytes])
        try await app.acknowledged(2)
        try connection.runScript("ALTER TABLE batch RENAME TO away; COMMIT")
        while try await received() == before { try Task.checkCancellation() }
        // Takes longer than the reading that was begun before.
        for _ in 0..<10 { _ = try await group.b.http.get(session + "/events") }
        try group.run("ALTER TABLE away RENAME TO batch")
        try await events(viewer, 1..<2)
        app.close()
    }

    @Test("A request whose client was told that no answer came isn't passed later")
    func expired() async throws {
        let group = try ServerGroup { $1.timing.peers.pass = .milliseconds(300) }
        let app = try await group.a.recorded(Sample.counting(to: 2))
        try await group.known(group.b)
        async let pushes = {
            var pushes: [Push.Content] = []
            while let push = try? await app.push() {
                pushes.append(push.content)
                app.send([AppLine.pushed(Pushed(id: push.id, result: refusal)).bytes])
            }
            return pushes
        }()
        try group.run("ALTER TABLE request RENAME TO away")
        #expect(try await group.b.http.send("POST", session + "/push", body: ["state": 1]).status == 504)
        try group.run("ALTER TABLE away RENAME TO request")
        while try await group.b.http.send("POST", session + "/push", body: ["state": 2]).status != 422 {
            try Task.checkCancellation()
        }
        app.close()
        let found = await pushes
        #expect(!found.isEmpty && found.allSatisfy { $0 == .state(2) })
    }

    @Test("A client is told that no answer comes while the database hangs")
    func hanging() async throws {
        let group = try ServerGroup { $1.timing.peers.pass = .milliseconds(300) }
        let app = try await group.a.recorded(Sample.counting(to: 2))
        try await group.known(group.b)
        let connection = try group.connect()
        try connection.runScript("BEGIN; LOCK TABLE request IN ACCESS EXCLUSIVE MODE")
        func halted() throws -> String? {
            let sql = """
                SELECT pid || ' ' || query_start AS statement FROM pg_stat_activity
                WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO request%'
                """
            // In the transaction, it would always find the same.
            return try group.run(sql).first?.text("statement")
        }
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": 1])
        var first = try halted()
        while first == nil {
            try Task.checkCancellation()
            first = try halted()
        }
        #expect(try await answer.status == 504)
        #expect(try halted() == first)
        try connection.runScript("COMMIT")
        app.close()
    }

    @Test("A server that stops answers the requests that were passed to it")
    func stopping() async throws {
        let group = try ServerGroup {
            $1.timing.peers.pass = .seconds(3_600)
            $1.timing.push = .seconds(3_600)
        }
        let app = try await group.a.recorded(Sample.counting(to: 2))
        try await group.known(group.b)
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": 1])
        _ = try await app.push()
        group.a.server.stop()
        #expect(try await answer.code == "connection-lost")
    }

    @Test("The last events of a server that stops reach the viewers of a server that isn't woken")
    func farewell() async throws {
        let group = try ServerGroup { number, configuration in
            guard number == 1 else { return }
            configuration.timing.peers.listens = false
            configuration.timing.peers.poll = .seconds(1)
        }
        let viewer = await group.b.viewer()
        try await watch(viewer)
        _ = try await group.a.recorded(Sample.counting(to: 5))
        group.a.server.stop()
        try await events(viewer, 0..<5)
    }

    @Test("After missed news, a page that connects again gets the runs as they are")
    func runs() async throws {
        let group = try ServerGroup()
        func list() async -> TestPeer {
            let viewer = await group.b.viewer()
            viewer.send([ViewerRequest.watchSessions.bytes])
            return viewer
        }
        let first = await list()
        try await first.viewerLine { if case .runs = $0 { () } else { nil } }
        try group.run(
            """
            INSERT INTO run (id, body, seen)
            VALUES ('one', convert_to('{"id":"one"}', 'UTF8'), clock_timestamp())
            """)
        try group.run("INSERT INTO server (id, seen) VALUES ('other', clock_timestamp())")
        // Its first news are gone already.
        try group.run("INSERT INTO news (server, number, body) VALUES ('other', 2, convert_to('{}', 'UTF8'))")
        _ = await first.closed()
        try await list().viewerLine { line -> Void? in
            if case .runs(let runs) = line, runs.first?["id"] == "one" { () } else { nil }
        }
    }

    @Test("A server that was halted in the middle of a commit keeps no other server from storing")
    func halted() async throws {
        let group = try ServerGroup(1)
        let other = try SharedServer(group.address)
        let old = await other.app()
        old.send([AppLine.hello(Sample.hello(attempt: 1)).bytes, Sample.start(0).bytes])
        try await old.acknowledged(1)
        let connection = try group.connect()
        try connection.runScript("BEGIN; LOCK TABLE batch IN EXCLUSIVE MODE")
        old.send([Sample.count(1, to: 1).bytes])
        let waits = """
            SELECT count(*) AS count FROM pg_locks
            WHERE NOT granted AND relation = 'batch'::regclass AND mode = 'RowExclusiveLock'
            """
        while try connection.run(waits)[0].int("count") == 0 { try Task.checkCancellation() }
        other.signal(SIGSTOP)
        try connection.runScript("COMMIT")

        let viewer = await group.a.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        try await viewer.viewerLine { if case .runs = $0 { () } else { nil } }
        let app = await group.a.app(Sample.hello(attempt: 2))
        let have = try await app.welcome().have
        app.send(Sample.counting(to: 5)[have...].map(\.bytes))
        try await app.acknowledged(5)
        let failure = try await viewer.viewerLine { line -> String?? in
            switch line {
            case .archive(let error): error
            case .session(let summary) where summary["events"] == 5: .some(nil)
            default: nil
            }
        }
        #expect(failure == nil)
        app.close()
    }

    @Test("Retention spares the sessions of servers that come back later than others after an interruption")
    func spared() async throws {
        let group = try ServerGroup(1) { _, configuration in
            configuration.timing.peers.lease = .seconds(10)
            configuration.timing.retention = .milliseconds(20)
            configuration.retention = Retention(maxSize: 0)
        }
        let other = try SharedServer(group.address)
        let app = await other.app()
        app.send([AppLine.hello(Sample.hello()).bytes])
        _ = try await app.welcome()
        app.send([Sample.start(0).bytes])
        try await app.acknowledged(1)
        try await group.known(group.a)
        other.signal(SIGSTOP)
        // As in a crash of the database.
        try group.connect().runScript(
            """
            BEGIN; TRUNCATE server, app, news, request;
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND application_name LIKE 'statetape%'; COMMIT
            """)
        var found: JSON = .null
        func read(until holds: (JSON) -> Bool) async throws {
            repeat {
                try Task.checkCancellation()
                found = (try? await group.a.http.get(session).json()) ?? .null
            } while !holds(found)
        }
        try await read { $0["live"] == false || $0["status"] == 404 }
        other.signal(SIGCONT)
        try await read { $0["live"] == true || $0["status"] == 404 }
        #expect(found["live"] == true)
        app.close()
    }

    @Test("A server whose clock was ahead when it died isn't taken for alive")
    func clock() async throws {
        let group = try ServerGroup(1)
        for name in ["SESSION-0001", "SESSION-0002"] {
            try await group.a.recorded([Sample.start(0)], Sample.hello(Sample.header(name))).close()
        }
        func live(_ name: String) async throws -> Bool {
            try await group.a.http.get("/api/v1/sessions/\(name)").json()["live"] == true
        }
        while try await live("SESSION-0001") { try Task.checkCancellation() }
        while try await live("SESSION-0002") { try Task.checkCancellation() }
        try group.run("INSERT INTO server (id, seen) VALUES ('later', clock_timestamp() + interval '1 hour')")
        func hold(_ name: String, _ server: String) throws {
            try group.run(
                """
                INSERT INTO app (session, owner, server, attempt, status)
                SELECT p.session, p.owner, '\(server)', 1, convert_to('{"recording":true,"locked":false}', 'UTF8')
                FROM progress p JOIN session s ON s.row = p.session WHERE s.id = convert_to('\(name)', 'UTF8')
                ON CONFLICT (session) DO UPDATE SET server = excluded.server, status = excluded.status
                """)
        }
        try hold("SESSION-0001", "later")
        while try await !live("SESSION-0002") {
            try group.run(
                """
                INSERT INTO server (id, seen) VALUES ('now', clock_timestamp())
                ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
                """)
            try hold("SESSION-0002", "now")
            try Task.checkCancellation()
        }
        #expect(try await !live("SESSION-0001"))
    }
}
