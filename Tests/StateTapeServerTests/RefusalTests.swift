import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
    @Test("The last fifty refused attempts are kept, newest first; identical ones are one entry")
    func bound() {
        let refusals = RefusedConnections()
        for number in 0..<60 {
            refusals.add(
                peer: "10.0.0.1", path: "/\(number)", code: "host", detail: String(repeating: "x", count: 999))
        }
        for _ in 0..<3 { refusals.add(peer: "10.0.0.1", path: "/30", code: "host", detail: "again") }
        let list = refusals.json.array ?? []
        #expect(list.count == 50)
        #expect(list[0]["path"] == "/30" && list[0]["count"] == 4 && list[0]["detail"] == "again")
        #expect(list[1]["path"] == "/59" && list[49]["path"] == "/10")
        #expect(list[1]["detail"]?.string?.count == 200)
        #expect(refusals.counts == ["host": 63])
    }

    @Test("In a log, a problem is a sentence")
    func logged() {
        #expect("\(Problem.unwritable("the disk is full"))" == "The archive can't be written: the disk is full.")
    }

    @Test("All refused attempts are listed with the reason, and never with a token")
    func listed() async throws {
        let server = try TestServer {
            $0.tokens = [.init(.control, "control-secret"), .init(.view, "view-secret")]
            $0.limits.viewers = 0
        }
        let control = ["Authorization": "Bearer control-secret"]
        let path = "/api/v1/sessions"
        #expect(try await server.http.get("/", ["Host": "evil.example"]).code == "host")
        #expect(try await server.http.get(path, ["Authorization": "Bearer wrong-secret"]).status == 401)
        let view = ["Authorization": "Bearer view-secret"]
        #expect(try await server.http.send("DELETE", path + "/some", headers: view).code == "role")
        let login = try await server.http.send("POST", "/api/v1/login", body: ["token": "wrong-secret"])
        #expect(login.status == 401)
        #expect(await server.viewer(headers: [("Authorization", "Bearer control-secret")]).closed().code == nil)
        #expect(await server.app(Sample.hello(token: "wrong-secret")).closed().code == 4001)
        #expect(await server.app(Sample.hello(token: "view-secret")).closed().code == 4001)
        let odd = await server.silentApp()
        odd.send([Array(#"{"hello":{"tape":2}}"#.utf8)])
        #expect(await odd.closed().code == 4002)
        let bad = await server.silentApp()
        bad.send([Array("nonsense".utf8)])
        #expect(await bad.closed().code == 4000)
        let first = try await server.recorded([Sample.start(0)], Sample.hello(token: "control-secret"))
        #expect(
            await server.app(Sample.hello(key: "other", token: "control-secret")).closed().code == 4006)
        let second = await server.app(Sample.hello(token: "control-secret"))
        _ = try await second.welcome()
        #expect(await first.closed().code == 4004)

        let answer = try await server.http.get("/api/v1/refusals", control)
        let list = try #require(try answer.json()["refusals"]?.array)
        #expect(
            list.compactMap { $0["code"]?.string } == [
                "other-key", "bad-line", "version", "role", "not-authorised", "full", "not-authorised", "role",
                "not-authorised", "host",
            ])
        #expect(list[5]["detail"]?.string?.contains("0 pages (--max-viewers)") == true)
        #expect(list[0]["path"] == "/v1/app" && list[9]["path"] == "/" && list[9]["peer"] == "127.0.0.1")
        #expect(!answer.text.contains("secret"))
        #expect(try await server.http.get("/metrics", view).text.contains("refusals_total{reason=\"role\"} 2\n"))
    }
}
