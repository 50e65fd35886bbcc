import Testing

@testable import TapeSockets

@Suite("Listener", .timeLimit(.minutes(1)))
struct ListenerTests {
    private func error(host: String, port: Int, options: Listener.Options = .init()) throws -> SocketsError? {
        let loop = try EventLoop()
        defer { loop.stop() }
        do {
            _ = try Listener(on: loop, host: host, port: port, options: options, service: TestService.echo())
            return nil
        } catch {
            return error
        }
    }

    @Test("Port 0 chooses a free port, a different one for each listener")
    func free() async throws {
        try await listening(.echo()) { first, loop in
            let second = try Listener(on: loop, host: "127.0.0.1", port: 0, service: TestService.echo())
            #expect(first.port > 0 && second.port > 0 && first.port != second.port)
        }
    }

    @Test("An error about a port in use, by this loop or another, says the way out")
    func taken() async throws {
        try await listening(.echo()) { listener, loop in
            let port = listener.port
            let other = try error(host: "127.0.0.1", port: port)
            #expect(other == .portInUse(host: "127.0.0.1", port: port))
            #expect(
                other?.description
                    == "Port \(port) on 127.0.0.1 is already in use. Stop the program that listens there, or"
                    + " choose another port with --listen.")
            #expect(throws: SocketsError.portInUse(host: "127.0.0.1", port: port)) {
                try Listener(on: loop, host: "127.0.0.1", port: port, service: TestService.echo())
            }
        }
    }

    @Test("An error about an address of another machine is one sentence", arguments: ["192.0.2.1", unresolvable])
    func elsewhere(_ host: String) throws {
        let error = try #require(try error(host: host, port: 0))
        #expect(error.description.hasPrefix("Can't listen on \(host): ") && error.description.hasSuffix("."))
        #expect(!error.description.contains("\n"))
    }

    @Test("An error names an invalid port number", arguments: [-1, 65_536, .max])
    func noPort(_ port: Int) throws {
        let error = try error(host: "127.0.0.1", port: port)
        #expect(error?.description == "Port \(port) is not between 0 and 65535.")
    }

    @Test("A port can be used again as soon as its loop has ended")
    func again() async throws {
        var port = 0
        try await listening(.echo()) { listener, _ in
            port = listener.port
            let recorder = RecordingHandler()
            Client.connect(on: .clients, to: "ws://127.0.0.1:\(port)", subprotocol: "test.v1", handler: recorder)
            _ = try await recorder.opening()
        }
        try #expect(error(host: "127.0.0.1", port: port) == nil)
    }

    @Test("A listener on an IPv6 address works", .enabled(if: hasIPv6, "This machine has no ::1."))
    func six() async throws {
        let loop = try EventLoop()
        defer { loop.stop() }
        let listener = try Listener(
            on: loop, host: "::1", port: 0, subprotocols: ["test.v1"], service: TestService.echo())
        let recorder = RecordingHandler()
        let connection = Client.connect(
            on: .clients, to: "ws://[::1]:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
        connection.send([1, 2, 3])
        try await #expect(recorder.message() == [1, 2, 3])
    }

    @Test("stopAccepting() refuses new connections and keeps the others")
    func stopAccepting() async throws {
        try await listening(.echo()) { listener, _ in
            let (old, new) = (RecordingHandler(), RecordingHandler())
            let url = "ws://127.0.0.1:\(listener.port)/"
            let connection = Client.connect(on: .clients, to: url, subprotocol: "test.v1", handler: old)
            _ = try await old.opening()
            listener.stopAccepting()
            listener.stopAccepting()
            Client.connect(on: .clients, to: url, subprotocol: "test.v1", handler: new)
            try await #expect(new.closing().code == nil)
            connection.send([7])
            try await #expect(old.message() == [7])
        }
    }

    @Test("An address at its limit of connections is refused with a message, and accepted again once one closes")
    func perAddress() async throws {
        var options = Listener.Options()
        options.maxLocal = 2
        var service = TestService.echo()
        service.handles = { $0.respond(HTTPResponse(status: 204)) }
        try await listening(service, options: options) { listener, _ in
            let first = try RawSocket(port: listener.port)
            do {
                let second = try RawSocket(port: listener.port)
                // An upgraded connection still counts.
                second.send(Upgrading.request)
                #expect(second.head().status == 101)
                let third = try RawSocket(port: listener.port)
                #expect(third.answer().status == 503)
                first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(first.answer(toHead: true).status == 204)
            }
            // The server notices the end a moment later.
            while true {
                let next = try RawSocket(port: listener.port)
                next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                if next.answer(toHead: true).status == 204 { break }
            }
        }
    }

    @Test("Connections are counted per IPv4 address and per IPv6 network, and local ones separately")
    func counts() {
        var all = PeerCount(limit: .max, local: .max, most: 2)
        let entered = ["192.0.2.1", "::1", "192.0.2.2", "127.0.0.1"].map { all.enter($0) }
        #expect(entered == [true, true, false, false])
        all.exit("192.0.2.1")
        let isIn = all.enter("192.0.2.2")
        #expect(isIn)
        var count = PeerCount(limit: 2, local: 3)
        let turns = ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"]
        #expect(turns.map { count.enter($0) } == [true, true, false, true, true, true, false])
        #expect(
            ["2001:db8:0:1::1", "::ffff:10.0.0.1", "::ffff:10.0.0.2"].map { count.enter($0) } == [true, false, true])
        #expect(
            ["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1", "127.0.0.1", "::1"].map { count.enter($0) }
                == [true, true, true, false, true])
        count.exit("10.0.0.1")
        #expect(count.enter("10.0.0.1") && !count.enter("10.0.0.1"))
    }
}
