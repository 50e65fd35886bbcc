import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("Rows that others wrote into a shared database", .timeLimit(.minutes(2))) struct ForeignRowTests {
    private let session = TestServer.session
    private let id = Sample.header().session
    private let refusal = Pushed.Result.failed(Pushed.Failure(code: .decode, message: "no"))

    /// Lets the app refuse a push that another server passes.
    private func expectPush(_ group: ServerGroup, _ app: TestPeer) async throws {
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": ["n": "x"]])
        let push = try await app.push()
        app.send([AppLine.pushed(Pushed(id: push.id, result: refusal)).bytes])
        #expect(try await answer.status == 422)
    }

    @Test("Rows that make no sense keep no server from showing events, passing requests and taking apps")
    func senseless() async throws {
        let group = try ServerGroup()
        let viewer = await group.b.viewer()
        viewer.send([ViewerRequest.watch(session: id).bytes])
        _ = try await viewer.watching()
        let app = try await group.a.recorded([Sample.start(0)])
        try group.alive()
        let connection = try group.connect()
        try connection.runScript(
            """
            INSERT INTO server (id, seen) SELECT id, clock_timestamp() + interval '1 second'
                FROM unnest(ARRAY['stranger', '', 'a"b''c', repeat('x', 2000)]) AS t(id);
            INSERT INTO news (server, number, body) VALUES
                ('stranger', -7, ''), ('stranger', 1, '\\x00ff'), ('stranger', 2, '{"committed":1,"wanted":[]}'),
                ('stranger', 3, '{"committed":[1,null,{}],"wanted":{"\(id)":5},"runs":1,"requests":{}}'),
                ('stranger', 4, convert_to(repeat('[', 100000), 'UTF8')),
                ('stranger', 5, convert_to('{"answers":["nope"],"deleted":["","nobody"]}', 'UTF8')),
                ('stranger', 9223372036854775807, '[]'), ('', 9223372036854775806, '{}');
            INSERT INTO request (id, server, method, path, body, expires)
                SELECT id || method || path, id, method, convert_to(path, 'UTF8'), body,
                    clock_timestamp() + interval '1 hour'
                FROM server, unnest(ARRAY['', 'POST', 'BREW']) AS m(method),
                    unnest(ARRAY['', '/', '/api/v1/sessions/\(id)/push', '/api/v1/sessions/%00/push']) AS p(path),
                    unnest(ARRAY['\\x00ff'::bytea]) AS b(body);
            INSERT INTO app (session, owner, server, attempt, status) SELECT n, '', 'stranger', -n, 'x'
                FROM unnest(ARRAY[-1, 0, 99999]) AS t(n);
            INSERT INTO run (id, body, start, seen) VALUES
                ('', '\\x00ff', '[', clock_timestamp()), ('two', '[]', '[]', clock_timestamp());
            INSERT INTO launch (id, app, device, labels, mode, session, seq, once) VALUES
                ('l', convert_to('com.example.todo', 'UTF8'), '', '\\x00ff', 'x', NULL, -1, false);
            """)
        app.send(Sample.counting(to: 5)[1...].map(\.bytes))
        for seq in 0..<5 { #expect(try await viewer.event()["seq"]?.int == seq) }
        try await group.known(group.b)
        try await expectPush(group, app)
        for server in group.servers {
            #expect(try await server.http.get("/api/v1/runs").status == 200)
            #expect(try await server.http.get("/api/v1/start-states").status == 200)
            #expect(try await server.http.get("/metrics").status == 200)
            let hello = Sample.hello(Sample.header("FRESH-\(server.server.port)"), fresh: true)
            #expect(await (try? server.app(hello).welcome()) != nil)
        }
        app.close()
    }

    @Test("A request of another server reaches only what needs an app, whatever its path")
    func routes() async throws {
        let group = try ServerGroup(1)
        let app = try await group.a.recorded(Sample.counting(to: 2))
        try group.alive()
        let asked = [
            ("POST", "/api/v1/prune"), ("GET", "/metrics"), ("DELETE", session), ("GET", session + "/tape"),
            ("GET", "/api/v1/connect"), ("POST", "/api/v1/sessions"), ("PATCH", session), ("GET", "/"),
        ]
        for (number, (method, path)) in asked.enumerated() {
            try group.run(
                """
                INSERT INTO request (id, server, method, path, body, expires)
                SELECT '\(number)', id, '\(method)', convert_to('\(path)', 'UTF8'),
                    convert_to('{"maxSize":0,"all":true}', 'UTF8'), clock_timestamp() + interval '1 hour' FROM server
                """)
        }
        while try group.run("SELECT count(*) AS count FROM request WHERE status IS NULL")[0].int("count") > 0 {
            try Task.checkCancellation()
        }
        for row in try group.run("SELECT status FROM request") { #expect(try row.int("status") == 404) }
        #expect(try await group.a.http.get(session).json()["events"] == 2)
        app.close()
    }

    @Test(
        "An answer that makes no sense, or comes twice, ends the request once",
        arguments: [
            "status = -1, type = NULL, answer = ''", "status = 9223372036854775807, type = 'x', answer = '\\x00ff'",
            "status = 200, type = 'text/plain', answer = NULL",
        ])
    func answers(_ answer: String) async throws {
        let group = try ServerGroup { $1.timing.peers.pass = .seconds(1) }
        let app = try await group.a.recorded(Sample.counting(to: 2))
        try await group.known(group.b)
        async let first = group.b.http.send("POST", session + "/push", body: ["state": 1])
        let push = try await app.push()
        try group.run("UPDATE request SET \(answer)")
        try group.run("INSERT INTO server (id, seen) VALUES ('other', clock_timestamp() + interval '1 second')")
        try group.run(
            """
            INSERT INTO news (server, number, body)
            SELECT 'other', n, convert_to(jsonb_build_object('answers', jsonb_agg(id))::text, 'UTF8')
            FROM request, generate_series(1, 2) AS n GROUP BY n
            """)
        app.send([AppLine.pushed(Pushed(id: push.id, result: refusal)).bytes])
        _ = try? await first
        // The app may get it although its client got no answer in time.
        async let pushes: Void = {
            while let push = try? await app.push() {
                app.send([AppLine.pushed(Pushed(id: push.id, result: refusal)).bytes])
            }
        }()
        while try await group.b.http.send("POST", session + "/push", body: ["state": 2]).status != 422 {
            try Task.checkCancellation()
        }
        app.close()
        await pushes
    }

    @Test("A request of many megabytes is passed whole")
    func large() async throws {
        let group = try ServerGroup()
        let app = try await group.a.recorded(Sample.counting(to: 2), Sample.hello(maxMessage: 16 << 20))
        try await group.known(group.b)
        let text = JSON.string(String(repeating: "x", count: 15 << 20))
        async let answer = group.b.http.send("POST", session + "/push", body: ["state": text])
        let push = try await app.push()
        #expect(push.content == .state(text))
        app.send([AppLine.pushed(Pushed(id: push.id, result: refusal)).bytes])
        #expect(try await answer.status == 422)
        let longer = JSON.string(String(repeating: "x", count: 20 << 20))
        #expect(try await group.b.http.send("POST", session + "/push", body: ["state": longer]).status == 413)
        app.close()
    }

    @Test("A session without its progress refuses its app, and the server goes on")
    func incomplete() async throws {
        let group = try ServerGroup(1)
        try await group.a.recorded(Sample.counting(to: 2)).close()
        try group.run("DELETE FROM progress")
        _ = await group.a.app(Sample.hello(attempt: 2)).closed()
        try await group.a.recorded([Sample.start(0)], Sample.hello(Sample.header("OTHER-00001"))).close()
    }

    @Test("A message with thousands of sessions doesn't keep events from viewers")
    func many() async throws {
        let group = try ServerGroup()
        let viewer = try await group.viewer(group.b)
        let app = try await group.a.recorded([Sample.start(0)])
        try group.run("INSERT INTO server (id, seen) VALUES ('other', clock_timestamp() + interval '1 second')")
        try group.run(
            """
            INSERT INTO news (server, number, body)
            SELECT 'other', 1, convert_to(jsonb_build_object('committed', names, 'changed', names, 'apps', names,
                'deleted', names)::text, 'UTF8')
            FROM (SELECT jsonb_agg('SESSION-' || n) AS names FROM generate_series(1, 20000) AS n) t
            """)
        app.send(Sample.counting(to: 50)[1...].map(\.bytes))
        for seq in 0..<50 { #expect(try await viewer.event()["seq"]?.int == seq) }
        app.close()
    }
}
