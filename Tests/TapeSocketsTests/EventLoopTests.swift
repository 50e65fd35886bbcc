import Foundation
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("EventLoop", .timeLimit(.minutes(1)))
struct EventLoopTests {
    private static let libraries: [EventLibrary] = [.poll, .libuv]

    @Test("All bodies run, one at a time, in the order of each thread's calls", arguments: libraries)
    func order(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let ran = Locked<[[Int]]>(Array(repeating: [], count: 8))
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<2_000 { loop.execute { ran.withLock { $0[thread].append(number) } } }
                }
            }
        }
        await loop.caughtUp()
        #expect(ran.withLock { $0 } == Array(repeating: Array(0..<2_000), count: 8))
    }

    @Test("A body queued by a body runs too, after those that were queued before", arguments: libraries)
    func nested(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let (numbers, put) = AsyncStream.makeStream(of: Int.self)
        loop.execute {
            loop.execute { put.yield(2) }
            put.yield(1)
        }
        #expect(await numbers.prefix(2).reduce(into: []) { $0.append($1) } == [1, 2])
    }

    @Test("Timers fire in the order of their times; a cancelled one never fires", arguments: libraries)
    func timers(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let (names, put) = AsyncStream.makeStream(of: String.self)
        loop.schedule(after: .seconds(2)) { put.yield("last") }
        loop.schedule(after: .milliseconds(500)) { put.yield("cancelled") }.cancel()
        loop.schedule(after: .seconds(1)) { put.yield("second") }
        loop.schedule(after: .zero) { put.yield("first") }
        #expect(await names.prefix(3).reduce(into: []) { $0.append($1) } == ["first", "second", "last"])
    }

    /// Counts its calls, on a loop.
    private actor Counter {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private(set) var places: [Bool] = []

        init(on loop: EventLoop) { self.loop = loop }

        func note() { places.append(loop.isCurrent) }
    }

    @Test("An actor on a loop runs on its thread, also for callbacks that are there already", arguments: libraries)
    func actor(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let counter = Counter(on: loop)
        await counter.note()
        loop.execute { counter.assumeIsolated { $0.note() } }
        loop.wait { counter.assumeIsolated { $0.note() } }
        #expect(await counter.places == [true, true, true])
    }

    /// What may stay on a loop's thread, but not leave it.
    private final class Notes {
        var texts: [String] = []
    }

    @Test("What isn't sendable stays on the thread across turns, timers and work elsewhere", arguments: libraries)
    func staying(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        defer { loop.stop() }
        let texts = await withCheckedContinuation { continuation in
            loop.execute {
                let notes = Notes()
                let back = loop.back { (text: String) in
                    notes.texts.append(text)
                    if notes.texts.count == 3 { continuation.resume(returning: notes.texts) }
                }
                loop.later {
                    notes.texts.append("later")
                    loop.later(after: .zero) {
                        notes.texts.append("timer")
                        DispatchQueue.global().async { back("back") }
                    }
                }
            }
        }
        #expect(texts == ["later", "timer", "back"])
    }

    /// What only a loop's thread may do.
    enum Misuse: String, CaseIterable, Codable {
        case later, timer, back, bound, isolation

        func commit(with loop: EventLoop) {
            switch self {
            case .later: loop.later {}
            case .timer: loop.later(after: .zero) {}
            case .back: _ = loop.back { (_: Void) in }
            case .bound:
                let bound = LoopBound(0)
                loop.wait { bound.value += 1 }
                bound.value += 1
            case .isolation: Counter(on: loop).assumeIsolated { _ in }
            }
        }
    }

    @Test("On another thread, what belongs to the loop's ends the process", arguments: Misuse.allCases)
    func elsewhere(misuse: Misuse) async {
        await #expect(processExitsWith: .failure) { [misuse] in
            misuse.commit(with: try EventLoop())
        }
    }

    @Test("The last body runs on the loop's thread, after the connections are closed", arguments: libraries)
    func last(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        let recorder = RecordingHandler()
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0, subprotocols: ["test.v1"], service: TestService.accepting(recorder))
        // This peer doesn't answer the close, so its connection ends with the loop.
        let socket = try RawSocket(port: listener.port)
        socket.send(Upgrading.request)
        #expect(socket.head().status == 101)
        let isThere = Locked(false)
        loop.stop {
            isThere.withLock { $0 = loop.isCurrent }
            recorder.finish()
        }
        #expect(isThere.withLock { $0 })
        #expect(try await recorder.closing().code == 1001)
    }

    @Test("A timer that is pending when the loop stops never fires, and is released", arguments: libraries)
    func pendingTimer(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        let fired = Locked(false)
        weak let kept: Locked<Int>?
        do {
            let held = Locked(0)
            kept = held
            loop.schedule(after: .seconds(3_600)) {
                held.withLock { $0 += 1 }
                fired.withLock { $0 = true }
            }
        }
        await loop.caughtUp()
        #expect(kept != nil)
        loop.stop()
        #expect(!fired.withLock { $0 } && kept == nil)
    }

    @Test("After stop() nothing runs, and stopping again has no effect", arguments: libraries)
    func stopped(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        let ran = Locked(0)
        loop.execute { ran.withLock { $0 += 1 } }
        loop.stop()
        loop.execute { ran.withLock { $0 += 1 } }
        loop.schedule(after: .zero) { ran.withLock { $0 += 1 } }
        loop.stop()
        #expect(ran.withLock { $0 } == 1)
        #expect(throws: SocketsError.self) {
            try Listener(on: loop, host: "127.0.0.1", port: 0, service: TestService.echo())
        }
        let recorder = RecordingHandler()
        Client.connect(on: loop, to: "ws://127.0.0.1:1/", subprotocol: "", handler: recorder)
        try await #expect(recorder.closing().code == nil)
    }

    @Test("A service is released with its loop")
    func service() async throws {
        weak let kept: Locked<Int>?
        do {
            let held = Locked(0)
            kept = held
            let service = TestService(handles: { exchange in
                held.withLock { $0 += 1 }
                exchange.respond(HTTPResponse(status: 204))
            })
            try await listening(service) { listener, _ in
                let socket = try RawSocket(port: listener.port)
                socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(socket.head().status == 204)
            }
        }
        #expect(kept == nil)
    }

    @Test("stop() from many threads and from the loop itself ends the loop once", arguments: libraries)
    func stoppedByMany(library: EventLibrary) async throws {
        let loop = try EventLoop(library)
        loop.execute { loop.stop() }
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { loop.stop() } }
        }
        #expect(loop.raw == nil)
    }

    @Test("stop() closes server and client connections with 1001", arguments: libraries)
    func goingAway(library: EventLibrary) async throws {
        let (near, far) = (try EventLoop(library), try EventLoop())
        defer { far.stop() }
        let (accepted, connecting) = (RecordingHandler(), RecordingHandler())
        let service = TestService.accepting(accepted)
        let listener = try Listener(on: near, host: "127.0.0.1", port: 0, subprotocols: ["test.v1"], service: service)
        Client.connect(
            on: far, to: "ws://127.0.0.1:\(listener.port)", subprotocol: "test.v1", handler: connecting)
        _ = try await connecting.opening()
        near.stop()
        try await #expect(accepted.closing().code == 1001)
        try await #expect(connecting.closing().code == 1001)

        let (other, asking) = (RecordingHandler(), RecordingHandler())
        let next = try Listener(
            on: far, host: "127.0.0.1", port: 0, subprotocols: ["test.v1"], service: TestService.accepting(other))
        let leaving = try EventLoop()
        Client.connect(on: leaving, to: "ws://127.0.0.1:\(next.port)", subprotocol: "test.v1", handler: asking)
        _ = try await asking.opening()
        leaving.stop()
        try await #expect(other.closing().code == 1001)
        try await #expect(asking.closing().code == 1001)
    }

    @Test("A peer that doesn't answer can't prevent stop() from ending")
    func deafPeer() async throws {
        let recorder = RecordingHandler()
        try await listening(.accepting(recorder)) { listener, loop in
            let socket = try RawSocket(port: listener.port)
            socket.send(Upgrading.request)
            _ = try await recorder.opening()
            loop.stop()
            _ = try await recorder.closing()
        }
    }

    @Test("Several loops of a process run in parallel")
    func several() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    try await listening(.echo()) { listener, _ in
                        let recorder = RecordingHandler()
                        let connection = Client.connect(
                            on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1",
                            handler: recorder
                        )
                        for round in 0..<20 {
                            connection.send(Array("\(number) \(round)".utf8))
                            try await #expect(recorder.message() == Array("\(number) \(round)".utf8))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A loop leaves the process's SIGPIPE setting unchanged")
    func brokenPipe() throws {
        var before = sigaction()
        sigaction(SIGPIPE, nil, &before)
        try EventLoop().stop()
        var after = sigaction()
        sigaction(SIGPIPE, nil, &after)
        #expect(Self.handler(before) == Self.handler(after))
        #expect(Self.handler(after) != unsafeBitCast(SIG_IGN, to: Int.self))
    }

    private static func handler(_ action: sigaction) -> Int {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }

    @Test("A close callback can create another loop, even while its own loop ends", arguments: libraries)
    func loopInEnd(library: EventLibrary) async throws {
        final class Making: ConnectionHandler, Sendable {
            let made: AsyncStream<Bool>.Continuation
            let library: EventLibrary
            init(_ made: AsyncStream<Bool>.Continuation, _ library: EventLibrary) {
                self.made = made
                self.library = library
            }
            func opened(_ connection: Connection) {}
            func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {}
            func drained(_ connection: Connection) {}
            func closed(_ connection: Connection, code: UInt16?, reason: String) {
                let loop = try? EventLoop(library)
                loop?.stop()
                made.yield(loop != nil)
            }
        }
        let (loops, made) = AsyncStream.makeStream(of: Bool.self)
        let loop = try EventLoop(library)
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0, subprotocols: ["test.v1"],
            service: TestService.accepting(Making(made, library)))
        // This peer doesn't answer the close, so its connection ends with the loop.
        let socket = try RawSocket(port: listener.port)
        socket.send(Upgrading.request)
        #expect(socket.head().status == 101)
        loop.stop()
        for await isMade in loops {
            #expect(isMade)
            break
        }
    }
}
