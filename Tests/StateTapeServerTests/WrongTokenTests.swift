import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct WrongTokenTests {
    @Test("An address's first ten wrong tokens are answered at once, then one a second, a minute late at most")
    func pace() {
        var pace = GuessPace()
        let (start, far) = (ContinuousClock.now, PeerAddress("203.0.113.7"))
        let delays = (0..<100).map { _ in pace.delay(far, at: start) }
        #expect(delays.prefix(10).allSatisfy { $0 == .zero })
        #expect(delays[10] == .seconds(1) && delays[12] == .seconds(3))
        #expect(delays[70...].allSatisfy { $0 == .seconds(60) })
        #expect(pace.delay(PeerAddress("203.0.113.8"), at: start) == .zero, "others don't pay for it")
        #expect(pace.delay(far, at: start + .seconds(120)) == .zero, "it is forgotten")
    }

    @Test("An IPv6 address counts with its network, and a local proxy has more free attempts")
    func groups() {
        var pace = GuessPace()
        let start = ContinuousClock.now
        for host in 1...10 { #expect(pace.delay(PeerAddress("2001:db8::\(host)"), at: start) == .zero) }
        #expect(pace.delay(PeerAddress("2001:db8::ffff"), at: start) > .zero)
        #expect(pace.delay(PeerAddress("2001:db8:0:1::1"), at: start) == .zero)
        for _ in 0..<200 { #expect(pace.delay(PeerAddress("::1"), at: start) == .zero) }
        #expect(pace.delay(PeerAddress("::1"), at: start) == .milliseconds(50))
    }

    @Test("Many addresses share their delays, in bounded memory")
    func manyAddresses() {
        var pace = GuessPace()
        let start = ContinuousClock.now
        var delay = Duration.zero
        for number in 0..<6_000 {
            delay = pace.delay(PeerAddress("10.0.\(number / 250).\(number % 250)"), at: start)
        }
        #expect(delay == .seconds(60))
        #expect(pace.delay(PeerAddress("10.9.9.9"), at: start + .seconds(120)) == .zero)
    }

    @Test("As many addresses as are remembered have delays of their own; a further one is only delayed with all")
    func bounds() {
        var pace = GuessPace()
        let start = ContinuousClock.now
        // Each is remembered until `later`, when the delay of all has passed.
        let later = start + .seconds(65)
        for number in 0..<GuessPace.maxAddresses {
            let address = PeerAddress("10.0.\(number / 250).\(number % 250)")
            for _ in 0..<66 { _ = pace.delay(address, at: start) }
        }
        let further = PeerAddress("10.9.9.9")
        #expect((0..<20).allSatisfy { _ in pace.delay(further, at: later) == .zero })
        let known = PeerAddress("10.0.0.1")
        let delays = (0..<20).map { _ in pace.delay(known, at: later) }
        #expect(delays.last.map { $0 > .seconds(5) } ?? false)
    }

    @Test("Wrong tokens are counted and, after a few, delayed; a valid one never is")
    func served() async throws {
        let server = try TestServer { $0.tokens = [.init(.control, "right"), .init(.app, "app")] }
        let wrong = ["Authorization": "Bearer wrong"]
        for _ in 0..<120 { #expect(try await server.http.get("/api/v1/sessions", wrong).status == 401) }
        for _ in 0..<40 {
            #expect(try await server.http.get("/api/v1/login", ["Cookie": "statetape-0=0"]).status == 401)
        }
        for _ in 0..<39 {
            let login = try await server.http.send("POST", "/api/v1/login", body: ["token": "wrong"])
            #expect(login.status == 401)
        }
        #expect(await server.app(Sample.hello(token: "wrong")).closed().code == 4001)
        // A missing token doesn't count as a wrong one.
        #expect(try await server.http.get("/api/v1/sessions").status == 401)

        let late = Task { [http = server.http] in try await http.get("/api/v1/sessions", wrong).status }
        let lateApp = await server.app(Sample.hello(token: "wrong"))
        let right = ["Authorization": "Bearer right"]
        #expect(try await server.http.get("/api/v1/sessions", right).status == 200)
        _ = try await server.recorded([Sample.start(0)], Sample.hello(token: "app"))
        #expect(try await late.value == 401)
        #expect(await lateApp.closed().code == 4001)
        let metrics = try await server.http.get("/metrics", right).text
        #expect(metrics.contains("\nstatetape_wrong_tokens_total 202\n"))
    }
}
