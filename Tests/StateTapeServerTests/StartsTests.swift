import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct StartsTests {
    private let path = "/api/v1/start-states"

    private func put(_ server: TestServer, _ members: [(String, JSON)] = []) async throws -> HTTPClient.Response {
        var body = JSON.Object([
            ("app", "com.example.todo"), ("session", .string(Sample.header().session)), ("seq", 2),
        ])
        for (name, value) in members { body[name] = value.isNull ? Optional<JSON>.none : value }
        return try await server.http.send("PUT", path, body: .object(body))
    }

    /// The launch state in a new run's welcome.
    private func start(_ server: TestServer, _ hello: Hello) async throws -> Welcome.Start? {
        try await server.app(hello).welcome().start
    }

    private func fresh(_ number: Int, device: String? = "phone", labels: [String: String] = [:]) -> Hello {
        Sample.hello(Sample.header("FRESH-0000\(number)", device: device, labels: labels), fresh: true)
    }

    @Test("A new run that matches gets the launch state; others don't")
    func state() async throws {
        let server = try TestServer()
        let app = try await server.recorded(
            Sample.counting(to: 4) + [Sample.start(4, store: "detail", ["open": true])])
        let made = try await put(server, [("device", "phone")])
        let id = try #require(try made.json()["id"]?.string)
        #expect(made.status == 200)
        let start = try #require(try await start(server, fresh(1)))
        #expect(start == Welcome.Start(id: id, mode: .state, states: ["main": ["n": 2]]))
        #expect(try await self.start(server, fresh(2, device: "tablet")) == nil)
        #expect(try await self.start(server, fresh(3, labels: ["ci": "true"])) == nil)
        #expect(try await self.start(server, Sample.hello(Sample.header("STALE-00001"))) == nil)
        app.close()
    }

    @Test("A run with stored events gets no launch state")
    func held() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 3)).close()
        _ = try await put(server)
        #expect(try await start(server, Sample.hello(fresh: true)) == nil)
    }

    @Test("A launch state that is too long for the app is left out")
    func tooLong() async throws {
        let server = try TestServer()
        let text = JSON.string(String(repeating: "x", count: 5_000))
        try await server.recorded([Sample.start(0, text), Sample.full(1, text), Sample.full(2, text)]).close()
        _ = try await put(server)
        var hello = fresh(1)
        hello.maxMessage = 1_000
        #expect(try await start(server, hello) == nil)
        #expect(try await start(server, fresh(2)) != nil)
        #expect(try await failure(server, 1)?["code"] == "too-long")
        #expect(try await server.http.get("/api/v1/sessions/FRESH-00002").json()["startFailed"] == nil)
    }

    /// Why a run did not start as asked, once the server says so.
    private func failure(_ server: TestServer, _ number: Int) async throws -> JSON? {
        var failure: JSON?
        try await server.until { http in
            failure = try await http.get("/api/v1/sessions/FRESH-0000\(number)").json()["startFailed"]
            return failure != nil
        }
        return failure
    }

    @Test("The summary says why a launch state was refused by the app, or could not be built")
    func failed() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        _ = try await put(server)
        let app = await server.app(fresh(1))
        let start = try #require(try await app.welcome().start)
        let refused = Pushed.Failure(code: .decode, message: "expected a string", path: "/n")
        app.send([AppLine.pushed(Pushed(id: "another", result: .failed(refused))).bytes])
        app.send([AppLine.pushed(Pushed(id: start.id, result: .failed(refused))).bytes])
        #expect(try await failure(server, 1) == refused.json)
        #expect(try await server.http.send("DELETE", "/api/v1/sessions/" + Sample.header().session).status == 204)
        #expect(try await self.start(server, fresh(2)) == nil)
        #expect(try await failure(server, 2)?["code"] == "session-absent")
    }

    @Test("Only a run's first answer about its launch state counts")
    func answers() async throws {
        let folder = TemporaryFolder()
        let server = try TestServer(in: folder)
        try await server.recorded(Sample.counting(to: 4)).close()
        _ = try await put(server)
        let app = await server.app(fresh(1))
        let start = try #require(try await app.welcome().start)
        let refused = (0..<100).map { Pushed.Failure(code: .decode, message: "\($0)") }
        app.send(refused.map { AppLine.pushed(Pushed(id: start.id, result: .failed($0))).bytes })
        app.send([Sample.start(0).bytes])
        try await app.acknowledged(1)
        #expect(try await failure(server, 1) != nil)
        server.server.stop()
        // The stopped server has done all that was queued.
        let next = try TestServer(in: folder)
        #expect(try await failure(next, 1) == refused[0].json)
    }

    @Test("Launch states are listed, replaced if app, device and labels are the same, and deleted by id")
    func list() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        let first = try await put(server, [("labels", ["branch": "main"])]).json()
        let second = try await put(server, [("labels", ["branch": "main"]), ("seq", 3)]).json()
        _ = try await put(server, [("once", true)])
        let list = try await server.http.get(path).json()["startStates"]?.array
        #expect(list?.count == 2 && list?.first == second && first["id"] != second["id"])
        #expect(second["seq"] == 3 && second["labels"] == ["branch": "main"] && second["once"] == false)
        let id = try #require(second["id"]?.string)
        #expect(try await server.http.send("DELETE", path + "?id=" + id).status == 204)
        #expect(try await server.http.send("DELETE", path + "?id=" + id).status == 404)
        #expect(try await server.http.get(path).json()["startStates"]?.array?.count == 1)
    }

    @Test("A one-time launch state that has arrived is given to no run that found it before it was deleted")
    func arrived() {
        let launches = LocalLaunches()
        #expect(launches.take("a", as: "start", for: "one"))
        #expect(!launches.take("a", as: "start", for: "two"))
        launches.missed("one")
        #expect(launches.take("a", as: "start", for: "two"))
        #expect(launches.arrived(at: "two", "start") == "a")
        #expect(!launches.take("a", as: "start", for: "three"))
        #expect(launches.take("b", as: "start", for: "two"))
    }

    @Test("A one-time launch state is deleted once a run has applied it, and not before")
    func once() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        _ = try await put(server, [("once", true)])
        func isListed() async throws -> Bool {
            try await server.http.get(path).json()["startStates"]?.array?.isEmpty == false
        }
        let first = await server.app(fresh(1))
        let given = try await first.welcome().start
        #expect(given != nil)
        #expect(try await isListed())
        // No other run gets it in the meantime.
        let second = await server.app(fresh(2))
        #expect(try await second.welcome().start == nil)
        // The connection is lost before the run confirms it, so the next run gets it.
        first.close()
        try await server.until { try await $0.get("/api/v1/sessions/FRESH-00001").json()["live"] == false }
        var third = await server.app(fresh(3))
        var number = 3
        var start = try await third.welcome().start
        while start == nil {
            number += 1
            third = await server.app(fresh(number))
            start = try await third.welcome().start
        }
        #expect(start == given)
        third.send([AppLine.pushed(Pushed(id: given?.id ?? "", result: .played(seq: 0))).bytes])
        try await server.until { try await $0.get(path).json()["startStates"] == [] }
        third.close()
        let last = await server.app(fresh(99))
        #expect(try await last.welcome().start == nil)
        last.close()
        second.close()
    }

    @Test("A run that recorded after its launch state has applied it, even without an answer")
    func silent() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        _ = try await put(server, [("once", true)])
        let app = await server.app(fresh(1))
        #expect(try await app.welcome().start != nil)
        app.send([Sample.start(0, ["n": 2]).bytes])
        try await app.acknowledged(1)
        app.close()
        try await server.until { try await $0.get(path).json()["startStates"] == [] }
    }

    @Test("“latest” is the last state of the same device")
    func latest() async throws {
        let server = try TestServer()
        try await server.recorded(Sample.counting(to: 4)).close()
        _ = try await put(server, [("mode", "latest"), ("session", .null), ("seq", .null)])
        let start = try await start(server, fresh(1))
        #expect(start?.mode == .latest && start?.states == ["main": ["n": 3]])
        #expect(try await self.start(server, fresh(2, device: "tablet")) == nil)
    }

    @Test(
        "Without an event it is the last one that has a state",
        arguments: [
            (Sample.counting(to: 3), 2),
            (Sample.counting(to: 3) + [Sample.end(3)], 3),
            // As a test's tape ends, whose store is gone.
            (Sample.counting(to: 3) + [Sample.detach(3), Sample.end(4)], 2),
            (Sample.counting(to: 3) + [Sample.detach(3), Sample.gap(6, count: 3), Sample.end(7)], 2),
            (Sample.counting(to: 3) + [Sample.gap(5, count: 3), Sample.count(6, to: 1)], 2),
            (
                Sample.counting(to: 3) + [
                    Sample.action(3, ("skipped", true)), Sample.action(4, ("skipped", true)),
                ], 2
            ),
            ([Sample.start(0), Sample.gap(1, count: 1), Sample.start(2), Sample.gap(3, count: 1)], 2),
            (
                [
                    Sample.start(0), Sample.start(1, store: "b"), Sample.detach(2, store: "b"), Sample.detach(3),
                    Sample.end(4),
                ], 2
            ),
            (
                [
                    Sample.start(0), Sample.start(1, store: "b"), Sample.gap(2, count: 1),
                    Sample.detach(3, store: "b"),
                ],
                1
            ),
            ([Sample.end(0)], nil),
        ] as [([EventLine], Int?)])
    func lastWithState(_ lines: [EventLine], _ seq: Int?) async throws {
        let server = try TestServer()
        try await server.recorded(lines).close()
        let made = try await put(server, [("seq", .null)])
        #expect(try made.json()["seq"]?.int == seq, "\(made.text)")
        #expect(made.status == (seq == nil ? 409 : 200))
        guard let seq else { return }
        // It is what a launch can start at, and any later one isn't.
        for later in seq..<(lines.last?.seq ?? 0) + 1 {
            let answer = try await put(server, [("seq", .number(.init(later)))])
            #expect(answer.status == (later == seq ? 200 : 409), "\(later): \(answer.text)")
            #expect(later == seq || answer.text.contains("event \(seq) has one"), "\(answer.text)")
        }
    }

    @Test("An unknown mode, session or event, or an event without a state, is refused")
    func refused() async throws {
        let server = try TestServer()
        try await server.recorded([Sample.start(0), Sample.gap(1, count: 1), Sample.count(2, to: 1)]).close()
        #expect(try await put(server, [("mode", "rewind")]).status == 422)
        #expect(try await put(server, [("session", "NONE-000000")]).code == "session-absent")
        #expect(try await put(server, [("seq", 3)]).code == "event-absent")
        #expect(try await put(server, [("seq", 2)]).code == "broken")
        #expect(try await put(server, [("app", .null)]).status == 422)
    }
}
