import TapeFormat
import Testing

@testable import TapeSockets

@Suite("Connection", .timeLimit(.minutes(1)))
struct ConnectionTests {
    private static let limit = 16 << 20

    /// Bytes that differ from position to position, so that a lost or swapped chunk is visible.
    private static func noise(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var state: UInt32 = 1
            for index in 0..<count {
                state = state &* 1_664_525 &+ 1_013_904_223
                buffer[index] = UInt8(truncatingIfNeeded: state >> 24)
            }
            initialized = count
        }
    }

    private func connect(
        to listener: Listener, maxMessage: Int = limit, _ handler: any ConnectionHandler & Sendable
    ) -> Connection {
        Client.connect(
            on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", maxMessage: maxMessage,
            handler: handler)
    }

    @Test("Text and binary messages are echoed unchanged")
    func echo() async throws {
        try await listening(.echo()) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            _ = try await recorder.opening()
            connection.send(Array("Grüße".utf8), isText: true)
            #expect(await recorder.next { $0 != .drained }?.1 == .message(Array("Grüße".utf8), isText: true))
            connection.send([0, 255, 1])
            #expect(await recorder.next { $0 != .drained }?.1 == .message([0, 255, 1], isText: false))
            connection.close(code: 1000, reason: "done")
            let end = try await recorder.closing()
            #expect(end.code == 1000 && end.reason == "done")
        }
    }

    @Test("Messages around the size of a chunk and of a frame's length field are echoed completely")
    func sizes() async throws {
        try await listening(.echo()) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            for size in [1, 125, 126, 127, 65_535, 65_536, 65_537, 131_072, 200_000] {
                let message = Self.noise(size)
                connection.send(message)
                try await #expect(recorder.message() == message)
            }
        }
    }

    @Test("A message of exactly the limit is sent both ways")
    func largest() async throws {
        try await listening(.echo()) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            let message = Self.noise(Self.limit)
            connection.send(message)
            try await #expect(recorder.message() == message)
        }
    }

    @Test("A message one byte over a server's limit closes with 1009", arguments: [16 << 20, 1_000])
    func tooLongForServer(limit: Int) async throws {
        let accepted = RecordingHandler()
        var options = Listener.Options()
        options.maxMessage = limit
        try await listening(.accepting(accepted), options: options) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            connection.send(Self.noise(limit + 1))
            try await #expect(recorder.closing().code == 1009)
            let first = await accepted.next { $0 != .opened && $0 != .drained }
            #expect(first?.1 == .closed(1009, "a message is longer than \(limit) bytes"))
        }
    }

    @Test("A message one byte over a client's limit closes with 1009")
    func tooLongForClient() async throws {
        let accepted = RecordingHandler()
        try await listening(.accepting(accepted)) { listener, _ in
            let recorder = RecordingHandler()
            _ = connect(to: listener, maxMessage: 100_000, recorder)
            let server = try await accepted.opening()
            server.send(Self.noise(100_000))
            try await #expect(recorder.message().count == 100_000)
            server.send(Self.noise(100_001))
            try await #expect(recorder.closing().code == 1009)
            try await #expect(accepted.closing().code == 1009)
        }
    }

    @Test("close() first sends the queued messages, and nothing after them")
    func flush() async throws {
        let accepted = RecordingHandler()
        try await listening(.accepting(accepted)) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            let messages = (0..<100).map { [UInt8](repeating: $0, count: 100_000) }
            for message in messages { connection.send(message) }
            connection.close(code: 4001, reason: "enough")
            connection.send([1])
            connection.close(code: 4002, reason: "again")
            for message in messages { try await #expect(accepted.message() == message) }
            let next = await accepted.next { _ in true }
            #expect(next?.1 == .closed(4001, "enough"))
            let end = try await recorder.closing()
            #expect(end.code == 4001 && end.reason == "enough")
        }
    }

    @Test("A close reason that is too long is cut between characters")
    func longReason() async throws {
        let accepted = RecordingHandler()
        try await listening(.accepting(accepted)) { listener, _ in
            let recorder = RecordingHandler()
            _ = connect(to: listener, recorder)
            try await accepted.opening().close(code: 4000, reason: String(repeating: "é", count: 100))
            let end = try await recorder.closing()
            #expect(end.code == 4000 && end.reason == String(repeating: "é", count: 60) + "…")
        }
    }

    @Test("Messages from eight threads all arrive, in the order of each thread")
    func threads() async throws {
        let accepted = RecordingHandler()
        try await listening(.accepting(accepted)) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            await withTaskGroup { group in
                for thread in UInt8(0)..<8 {
                    group.addTask {
                        for number in 0..<500 {
                            connection.send([thread, UInt8(number & 255), UInt8(number >> 8)])
                        }
                    }
                }
            }
            var next = [Int](repeating: 0, count: 8)
            for _ in 0..<4_000 {
                let message = try await accepted.message()
                #expect(Int(message[1]) | Int(message[2]) << 8 == next[Int(message[0])])
                next[Int(message[0])] += 1
            }
        }
    }

    @Test("A connection that is lost without a close ends without a code")
    func lost() async throws {
        let accepted = RecordingHandler()
        try await listening(.accepting(accepted)) { listener, _ in
            do {
                let socket = try RawSocket(port: listener.port)
                socket.send(Upgrading.request)
                #expect(socket.head().status == 101)
            }
            let end = try await accepted.closing()
            #expect(end.code == nil && end.reason == "the connection was lost")
        }
    }

    @Test("A silent peer is pinged and then dropped; one that answers pings stays")
    func silence() async throws {
        var options = Listener.Options()
        options.pingAfter = .seconds(1)
        options.dropAfter = .seconds(3)
        let service = TestService.echo()
        try await listening(service, options: options) { listener, _ in
            let recorder = RecordingHandler()
            let connection = connect(to: listener, recorder)
            _ = try await recorder.opening()
            let socket = try RawSocket(port: listener.port)
            socket.send(Upgrading.request)
            #expect(socket.head().status == 101)
            let bytes = socket.receiveAll()
            #expect(bytes.first == 0x89, "a ping, and then the end")
            connection.send([5])
            try await #expect(recorder.message() == [5])
        }
    }

    @Test("Thousands of short connections leak nothing")
    func shortLived() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let kept = Locked<[Weak]>([])
        let service = TestService(upgrades: { _, _ in
            let handler = Reporting(end)
            kept.withLock { $0.append(Weak(handler)) }
            return .accept(subprotocol: "test.v1", handler)
        })
        try await listening(service) { listener, loop in
            for _ in 0..<20 {
                for _ in 0..<100 {
                    let handler = Reporting(end)
                    let connection = connect(to: listener, handler)
                    kept.withLock { $0 += [Weak(handler), Weak(connection)] }
                    connection.send([1])
                }
                // Both ends of each connection.
                var left = 200
                for await _ in ended {
                    left -= 1
                    if left == 0 { break }
                }
            }
            await loop.caughtUp()
            await loop.caughtUp()
            let alive = kept.withLock { $0.count { $0.object != nil } }
            #expect(kept.withLock { $0.count } == 6_000)
            #expect(alive == 0)
        }
    }
}

/// Closes at the first message, and reports how the connection ended.
private final class Reporting: ConnectionHandler, Sendable {
    let end: AsyncStream<Void>.Continuation

    init(_ end: AsyncStream<Void>.Continuation) {
        self.end = end
    }

    func opened(_ connection: Connection) {}
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        connection.close(code: 1000, reason: "")
    }
    func drained(_ connection: Connection) {}
    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        #expect(code == 1000)
        end.yield()
    }
}

private struct Weak: @unchecked Sendable {  // only compared with nil
    weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}
