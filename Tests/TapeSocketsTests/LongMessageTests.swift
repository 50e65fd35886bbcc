import Foundation
import TapeFormat
import Testing

@testable import TapeSockets

@Suite("Long messages", .timeLimit(.minutes(1)))
struct LongMessageTests {
    /// A connection whose first half of a message has been read.
    private func half(_ count: Int, to listener: Listener) throws -> RawSocket {
        let socket = try RawSocket(port: listener.port)
        socket.send(Upgrading.request)
        #expect(socket.head().status == 101)
        socket.send(Frame.bytes(2, [UInt8](repeating: 7, count: count), isFinal: false) + Frame.bytes(9, []))
        // Its pong shows that all before it was read.
        #expect(socket.exactly(2) == [0x8a, 0])
        return socket
    }

    private func client(of listener: Listener) async throws -> (Connection, RecordingHandler) {
        let handler = RecordingHandler()
        let connection = Client.connect(
            on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: handler)
        _ = try await handler.opening()
        return (connection, handler)
    }

    private func service(_ received: Locked<[Int]>) -> TestService {
        TestService(upgrades: { _, _ in
            .accept(subprotocol: "test.v1", LongReceiver { count in received.withLock { $0.append(count) } })
        })
    }

    @Test("Those who send a long message slowly, or stop inside it, hold up nobody")
    func slowSenders() async throws {
        let received = Locked<[Int]>([])
        var options = Listener.Options()
        // One may be worked on at a time.
        options.maxMessage = 256 << 20
        try await listening(service(received), options: options) { listener, _ in
            let slow = try (0..<8).map { _ in try half(2 << 20, to: listener) }
            let (connection, handler) = try await client(of: listener)
            for count in [12 << 20, 1_100_000, 900_000] {
                connection.send([UInt8](repeating: 1, count: count))
                try await #expect(handler.message() == [UInt8](repeating: 1, count: 10))
            }
            slow[0].send(Frame.bytes(0, [UInt8](repeating: 7, count: 2 << 20)))
            #expect(slow[0].exactly(12) == [0x82, 10] + [UInt8](repeating: 7, count: 10))
            #expect(received.withLock { $0 } == [12 << 20, 1_100_000, 900_000, 4 << 20])
        }
    }

    @Test("As many long messages are worked on at once as there is memory for; the others wait for that, in order")
    func turns() async throws {
        let busy = Locked((now: 0, most: 0, all: 0))
        let service = TestService(upgrades: { _, _ in
            .accept(
                subprotocol: "test.v1",
                SlowReceiver { change in
                    busy.withLock { busy in
                        busy.now += change
                        busy.most = max(busy.most, busy.now)
                        busy.all += max(0, change)
                    }
                })
        })
        var options = Listener.Options()
        options.maxMessage = 256 << 20
        try await listening(service, options: options) { listener, _ in
            var peers: [(Connection, RecordingHandler)] = []
            for _ in 0..<6 { peers.append(try await client(of: listener)) }
            for (connection, _) in peers {
                for round in 1...3 { connection.send([UInt8](repeating: UInt8(round), count: 2 << 20)) }
                connection.send([9])
            }
            for (_, handler) in peers {
                for round in [1, 2, 3, 9] as [UInt8] { try await #expect(handler.message().first == round) }
            }
            #expect(busy.withLock { $0.most } == 1 && busy.withLock { $0.all } == 18)
        }
    }

    @Test("Without room, the message goes that waits for its sender the longest, and its sender may try again later")
    func room() async throws {
        let received = Locked<[Int]>([])
        var options = Listener.Options()
        options.maxSpool = 8 << 20
        try await listening(service(received), options: options) { listener, _ in
            let (first, second) = (try half(3 << 20, to: listener), try half(3 << 20, to: listener))
            let (connection, handler) = try await client(of: listener)
            connection.send([UInt8](repeating: 1, count: 4 << 20))
            try await #expect(handler.message() == [UInt8](repeating: 1, count: 10))
            #expect(Array(first.exactly(4).suffix(2)) == [1001 >> 8, 1001 & 0xff])
            second.send(Frame.bytes(0, [8]))
            #expect(second.exactly(12) == [0x82, 10] + [UInt8](repeating: 7, count: 10))
            // One alone that is larger than all may be.
            connection.send([UInt8](repeating: 1, count: 9 << 20))
            let end = try await handler.closing()
            #expect(end.code == 1001 && end.reason.contains("no room"), "\(end)")
            #expect(received.withLock { $0 } == [4 << 20, 3 << 20 + 1])
        }
    }

    @Test("A folder that can't be written refuses long messages, and no others")
    func noFolder() async throws {
        var options = Listener.Options()
        options.spool = URL(fileURLWithPath: "/proc/self/nowhere")
        try await listening(service(Locked([])), options: options) { listener, _ in
            let (connection, handler) = try await client(of: listener)
            connection.send([UInt8](repeating: 1, count: 900_000))
            try await #expect(handler.message() == [UInt8](repeating: 1, count: 10))
            connection.send([UInt8](repeating: 1, count: 2 << 20))
            let end = try await handler.closing()
            #expect(end.code == 1001, "\(end)")
        }
    }

    @Test("A long message of a peer that is gone at once arrives before its end")
    func gone() async throws {
        let events = Locked<[String]>([])
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let service = TestService(upgrades: { _, _ in
            .accept(
                subprotocol: "test.v1",
                LongReceiver { count in
                    events.withLock { $0.append("message of \(count)") }
                } closed: {
                    events.withLock { $0.append("end") }
                    continuation.finish()
                })
        })
        try await listening(service) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Upgrading.request)
            #expect(socket.head().status == 101)
            socket.send(Frame.bytes(2, [UInt8](repeating: 7, count: 5 << 20)))
            socket.finish()
            for await _ in stream {}
            #expect(events.withLock { $0 } == ["message of \(5 << 20)", "end"])
        }
    }

    /// Counts the bytes of its messages and answers with their first ten.
    private final class LongReceiver: ConnectionHandler, Sendable {
        private let received: @Sendable (Int) -> Void
        private let ended: @Sendable () -> Void

        init(_ received: @escaping @Sendable (Int) -> Void, closed: @escaping @Sendable () -> Void = {}) {
            (self.received, ended) = (received, closed)
        }

        func opened(_ connection: Connection) {}
        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            received(message.count)
            connection.send(Array(message.prefix(10)))
        }
        func drained(_ connection: Connection) {}
        func closed(_ connection: Connection, code: UInt16?, reason: String) { ended() }
    }

    /// Works on its long messages on another thread, and reads nothing meanwhile.
    private final class SlowReceiver: ConnectionHandler, Sendable {
        private let work: @Sendable (Int) -> Void

        init(_ work: @escaping @Sendable (_ change: Int) -> Void) { self.work = work }

        func opened(_ connection: Connection) {}
        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            guard message.count > 1 else { return connection.send(message) }
            connection.pauseReading()
            work(1)
            DispatchQueue.global().async { [work] in
                _ = message.reduce(0, &+)
                work(-1)
                connection.send(Array(message.prefix(1)))
                connection.resumeReading()
            }
        }
        func drained(_ connection: Connection) {}
        func closed(_ connection: Connection, code: UInt16?, reason: String) {}
    }
}
