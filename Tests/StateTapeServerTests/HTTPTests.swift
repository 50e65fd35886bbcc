import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(1))) struct HTTPTests {
    private let path = TestServer.session

    @Test("Sessions are listed with their summary, filtered, and page by page")
    func sessions() async throws {
        let server = try TestServer()
        let live = try await server.recorded(Sample.counting(to: 3))
        for number in 0..<3 {
            let header = Sample.header("SESSION-000\(number)", app: "other", labels: ["branch": "a:b"])
            try await server.recorded([Sample.start(0), Sample.end(1)], Sample.hello(header)).close()
        }
        // The server notices the ends a moment later.
        try await server.until {
            try await $0.get("/api/v1/sessions?live=true").json()["sessions"]?.array?.count == 1
        }
        func list(_ query: String) async throws -> [String] {
            try await server.http.get("/api/v1/sessions" + query).json()["sessions"]?.array?
                .compactMap { $0["session"]?.string } ?? []
        }
        let names = ["SESSION-0002", "SESSION-0001", "SESSION-0000", Sample.header().session]
        #expect(try await list("") == names)
        #expect(try await list("?live=true") == [names[3]])
        #expect(try await list("?app=other&label=branch%3Aa%3Ab") == Array(names[..<3]))
        #expect(try await list("?q=0001") == [names[1]])
        let page = try await server.http.get("/api/v1/sessions?limit=3").json()
        #expect(page["sessions"]?.array?.count == 3)
        #expect(try await list("?before=" + (page["next"]?.string ?? "")) == [names[3]])
        #expect(try await server.http.get("/api/v1/sessions?limit=many").status == 400)

        let summary = try await server.http.get(path).json()
        #expect(summary["app"]?["name"] == "Todo" && summary["started"] == "2026-11-20T10:00:00.123Z")
        #expect(summary["live"] == true && summary["events"] == 3 && summary["duration"] == 2)
        #expect(summary["ended"] == false && summary["complete"] == true && summary["kept"] == false)
        #expect(summary["received"]?.string?.hasSuffix("Z") == true && summary["lastSeen"] != nil)
        live.close()
    }

    @Test("Events are listed from a seq on, filtered, with the end of the list")
    func events() async throws {
        let server = try TestServer()
        let lines =
            Sample.counting(to: 10)
            + [
                Sample.action(
                    10, store: "lists", type: "todos/add", ("patch", [["op": "remove", "path": "/milk"]])),
                Sample.gap(14, count: 4), Sample.full(15, 1),
            ]
        let app = try await server.recorded(lines)
        let all = try await server.http.get(path + "/events")
        #expect(all.lines == lines.map(\.bytes))
        #expect(all.headers["statetape-next"] == "16" && all.headers["statetape-committed"] == "16")
        #expect(all.headers["content-type"] == "application/x-ndjson")
        let some = try await server.http.get(path + "/events?from=3&limit=4")
        #expect(some.lines == lines[3..<7].map(\.bytes) && some.headers["statetape-next"] == "7")
        let found = try await server.http.get(path + "/events?type=todos&store=lists&q=MILK&from=2")
        #expect(found.lines == [lines[10].bytes])
        let inGap = try await server.http.get(path + "/events?from=13")
        #expect(inGap.lines == lines[11...].map(\.bytes))
        let past = try await server.http.get(path + "/events?from=99")
        #expect(past.status == 200 && past.body.isEmpty && past.headers["statetape-next"] == "16")
        let heads = try await server.http.get(path + "/events?fields=head&from=9&limit=1")
        var head: [UInt8] = []
        EventHead(lines[9]).write(to: &head)
        #expect(heads.body == head + [10])
        let previews = try await server.http.get(path + "/events?fields=preview&from=10&limit=2")
        #expect(
            previews.body
                == Array(
                    #"{"seq":10,"payload":"1","changes":[{"path":"/milk","value":"−"}]}"#.utf8) + [10]
                + Array(#"{"seq":14}"#.utf8) + [10])
        app.close()
    }

    @Test("An event and the state after it are read by seq, and cached forever if the URL has the version")
    func event() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 5))
        #expect(try await server.http.get(path + "/events/3").body == Sample.count(3, to: 3).bytes)
        #expect(try await server.http.get(path + "/events/5").code == "event-absent")
        #expect(try await server.http.get(path + "/events/x").status == 404)
        let state = try await server.http.get(path + "/states/4?store=main")
        #expect(state.text == #"{"n":4}"# && state.headers["statetape-seq"] == "4")
        #expect(state.headers["content-type"] == "application/json")
        #expect(state.headers["cache-control"] == "no-cache")
        let absent = try await server.http.get(path + "/states/4?store=none")
        #expect(absent.status == 404 && absent.code == "store-absent")
        #expect(absent.text.contains("The tape has no store “none” after event 4. It has “main”."))
        let early = try await server.http.get(path + "/states/4?v=1")
        #expect(early.headers["cache-control"] == "no-cache")
        app.close()
        try await server.sealed(5)
        let kept = try await server.http.get(path + "/states/4?v=1")
        #expect(kept.text == state.text)
        #expect(kept.headers["cache-control"]?.contains("immutable") == true)
    }

    @Test("A state that was not recorded is 409 with the nearest seqs")
    func skipped() async throws {
        let server = try TestServer()
        let app = try await server.recorded([
            Sample.start(0), Sample.action(1, ("skipped", true)), Sample.count(2, to: 2),
        ])
        let problem = try await server.http.get(path + "/states/1")
        #expect(problem.status == 409 && problem.code == "state-skipped")
        #expect(try problem.json()["before"] == 0 && problem.json()["after"] == 2)
        app.close()
    }

    @Test("A tape is downloaded whole, or a part with the states before it and its gaps clipped")
    func tape() async throws {
        let server = try TestServer()
        let lines = Sample.counting(to: 3_000) + [Sample.gap(3_009, count: 10), Sample.full(3_010, ["n": 1])]
        let app = try await server.recorded(lines)
        let whole = try await server.http.get(path + "/tape")
        #expect(whole.headers["content-disposition"]?.contains(".tape\"") == true)
        #expect(try Header(JSON(parsing: whole.lines[0])) == Sample.header())
        #expect(whole.lines.dropFirst().elementsEqual(lines.map(\.bytes)))
        let part = try await server.http.get(path + "/tape?from=100&to=102")
        let header = try Header(JSON(parsing: part.lines[0]))
        #expect(header.from == 100 && header.states == ["main": ["n": 99]])
        #expect(part.lines.dropFirst().elementsEqual(lines[100...102].map(\.bytes)))
        let gap = try await server.http.get(path + "/tape?from=3003&to=3005").lines.dropFirst().map(EventLine.init)
        #expect(gap.map(\.first) == [3_003] && gap.map(\.seq) == [3_005])
        let (most, beyond) = (Limits.seq, Int.max)
        for query in ["to=\(most)", "format=redux-devtools&from=3010&to=\(most)"] {
            #expect(try await server.http.get(path + "/tape?" + query).status == 200, "\(query)")
        }
        // No store has a state there.
        #expect(try await server.http.get(path + "/tape?format=redux-devtools&from=3011").status == 200)
        for query in ["to=\(beyond)", "from=\(beyond)", "format=redux-devtools&to=\(beyond)"] {
            #expect(try await server.http.get(path + "/tape?" + query).code == "bad-query", "\(query)")
        }
        app.close()
    }

    @Test("A unique prefix of 10 characters of a session's id redirects a GET")
    func redirect() async throws {
        let server = try TestServer()
        for name in ["SAMEBEGIN-1-one", "SAMEBEGIN-2-two"] {
            try await server.recorded([Sample.start(0)], Sample.hello(Sample.header(name))).close()
        }
        let one = try await server.http.get("/api/v1/sessions/SAMEBEGIN-1/events?q=a%20b&from=0")
        #expect(one.status == 307)
        #expect(one.headers["location"] == "/api/v1/sessions/SAMEBEGIN-1-one/events?q=a%20b&from=0")
        #expect(try await server.http.get("/api/v1/sessions/SAMEBEGIN-").code == "ambiguous")
        #expect(try await server.http.get("/api/v1/sessions/SAMEBEGIN").status == 404)
        #expect(try await server.http.get("/api/v1/sessions/OTHERBEGIN-1").code == "session-absent")
        #expect(try await server.http.send("DELETE", "/api/v1/sessions/SAMEBEGIN-1").status == 404)
    }

    @Test("A session can be titled and deleted; deleting closes its app with 4010")
    func delete() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        let edited = try await server.http.send(
            "PATCH", path, body: ["title": "The bug", "kept": true, "labels": ["branch": "main"]])
        #expect(try edited.json()["title"] == "The bug" && edited.json()["labels"] == ["branch": "main"])
        #expect(try await server.http.send("PATCH", path, body: ["title": 1]).status == 422)
        #expect(try await server.http.send("DELETE", path).status == 204)
        #expect(await app.closed().code == 4010)
        #expect(try await server.http.get(path).status == 404)
    }

    @Test("Health is ok, unknown paths are 404, other methods 405, all as problem documents")
    func rest() async throws {
        let server = try TestServer()
        #expect(try await server.http.get("/healthz").json() == ["status": "ok"])
        let unknown = try await server.http.get("/api/v1/none")
        #expect(unknown.status == 404 && unknown.headers["content-type"] == "application/problem+json")
        let method = try await server.http.send("PUT", "/api/v1/sessions")
        #expect(method.status == 405 && method.code == "method" && method.headers["allow"] == "GET, HEAD, POST")
        #expect(try await server.http.send("HEAD", "/healthz").status == 200)
        #expect(unknown.headers["x-content-type-options"] == "nosniff")
        #expect(unknown.headers["referrer-policy"] == "no-referrer")
    }

    @Test("A method that a path doesn't have is 405 for each role that may read the path, and 404 where nothing is")
    func methods() async throws {
        let server = try TestServer { $0.tokens = [.init(.view, "v"), .init(.control, "c"), .init(.app, "a")] }
        for method in ["TRACE", "QUERY", "PUT", "POST", "PATCH", "DELETE"] {
            for (path, methods) in [
                (path, "PATCH DELETE"), (path + "/events", ""), ("/api/v1/sessions", "POST"), ("/healthz", ""),
                ("/api/v1/start-states", "PUT DELETE"), ("/api/v1/prune", "POST"), ("/api/v1/none", "none"),
            ] where !methods.split(separator: " ").contains(Substring(method)) {
                for token in ["v", "c"] {
                    let headers = ["Authorization": "Bearer \(token)"]
                    let answer = try await server.http.send(method, path, headers: headers)
                    #expect(answer.status == (methods == "none" ? 404 : 405), "\(method) \(path) \(token)")
                }
                let status = try await server.http.send(method, path).status
                #expect(status == (path == "/healthz" ? 405 : 401), "\(method) \(path)")
            }
        }
        let viewer = ["Authorization": "Bearer v"]
        #expect(try await server.http.send("DELETE", path, headers: viewer).code == "role")
    }

    @Test("The page is served with a strict policy")
    func page() async throws {
        let web = TemporaryFolder()
        try FileManager.default.createDirectory(at: web.url, withIntermediateDirectories: true)
        try Data("<!doctype html><title>page</title>".utf8).write(to: web.url.appendingPathComponent("index.html"))
        let server = try TestServer { $0.page = Page(web.url) }
        let page = try await server.http.get("/")
        #expect(page.status == 200 && page.text.contains("page"))
        let policy = page.headers["content-security-policy"] ?? ""
        for rule in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(rule))
        }
        #expect(page.headers["x-content-type-options"] == "nosniff")
        #expect(page.headers["referrer-policy"] == "no-referrer")
        #expect(try await server.http.get("/../archive.sqlite").status == 404)
    }

    @Test("Foreign hosts and pages are refused, for requests and upgrades")
    func foreign() async throws {
        let server = try TestServer()
        let own = "http://127.0.0.1:\(server.server.port)"
        #expect(try await server.http.get("/healthz", ["Host": "evil.example"]).status == 403)
        #expect(try await server.http.get("/", ["Host": "evil.example"]).status == 403)
        let body: JSON = ["app": "a", "mode": "latest"]
        func put(_ headers: [String: String]) async throws -> Int {
            try await server.http.send("PUT", "/api/v1/start-states", headers: headers, body: body).status
        }
        #expect(try await put([:]) == 200)
        #expect(try await put(["Origin": own, "Sec-Fetch-Site": "same-origin"]) == 200)
        #expect(try await put(["Origin": "http://evil.example"]) == 403)
        #expect(try await put(["Origin": "null"]) == 403)
        #expect(try await put(["Sec-Fetch-Site": "cross-site"]) == 403)
        for origin in ["http://evil.example", "null"] {
            #expect(await server.viewer(headers: [("Origin", origin)]).closed().code == nil)
            #expect(await server.silentApp(headers: [("Origin", origin)]).closed().code == nil)
        }
        let viewer = await server.viewer(headers: [("Origin", own)])
        guard case .opened = await viewer.next() else {
            return #expect(Bool(false), "the page's viewer was refused")
        }
    }
}
