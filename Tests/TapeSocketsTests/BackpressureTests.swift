import Testing

@testable import TapeSockets

@Suite("Backpressure", .timeLimit(.minutes(1)))
struct BackpressureTests {
    /// Echoes until `value` has not changed for 200 round trips on the same loop.
    private func rest(_ value: () -> Int, of listener: Listener, _ loop: EventLoop) async throws -> Int {
        let recorder = RecordingHandler()
        let connection = Client.connect(
            on: .clients, to: "ws://127.0.0.1:\(listener.port)/echo", subprotocol: "test.v1", handler: recorder)
        var (before, still) = (value(), 0)
        while still < 200 {
            connection.send([1])
            try await #expect(recorder.message() == [1])
            let now = value()
            still = now == before ? still + 1 : 0
            before = now
        }
        connection.close(code: 1000, reason: "")
        return before
    }

    private func service(_ handler: any ConnectionHandler) -> TestService {
        TestService(upgrades: { request, _ in
            .accept(subprotocol: "test.v1", request.path == "/echo" ? Echo() : handler)
        })
    }

    @Test("A slow reader's messages stay with the sender, others are served, and all arrive once it reads")
    func slowReader() async throws {
        let accepted = RecordingHandler()
        try await listening(service(accepted)) { listener, loop in
            let slow = try RawSocket(port: listener.port, receiveBuffer: 16 << 10)
            slow.send(Upgrading.request)
            #expect(slow.head().status == 101)
            let connection = try await accepted.opening()
            let total = 32 << 20
            for number in 0..<32 { connection.send([UInt8](repeating: UInt8(number), count: 1 << 20)) }
            let left = try await rest({ connection.outstanding }, of: listener, loop)
            #expect(left > total / 4 && left < total)

            // Each message is sent in frames of 64 KiB with a header of ten bytes.
            let expected = total + total / (64 << 10) * 10
            let bytes = slow.exactly(expected)
            #expect(bytes.count == expected)
            #expect(bytes.prefix(2) == [0x02, 127] && bytes[bytes.count - (64 << 10) - 10] == 0x80)
            #expect(bytes.last == 31)
            _ = await accepted.next { $0 == .drained }
            #expect(connection.outstanding == 0)
        }
    }

    @Test("A reader that never reads is dropped at the limit")
    func bound() async throws {
        let accepted = RecordingHandler()
        var options = Listener.Options()
        options.maxOutstanding = 20 << 20
        try await listening(service(accepted), options: options) { listener, _ in
            let slow = try RawSocket(port: listener.port, receiveBuffer: 16 << 10)
            slow.send(Upgrading.request)
            let connection = try await accepted.opening()
            for _ in 0..<64 { connection.send([UInt8](repeating: 0, count: 1 << 20)) }
            let end = try await accepted.closing()
            #expect(end.code == nil && end.reason == "the peer reads too slowly")
            #expect(connection.outstanding == 0)
        }
    }

    @Test("A listener receives as many long messages at once as it has room for; the others wait, and all arrive")
    func longMessages() async throws {
        let received = Locked<[Int]>([])
        var options = Listener.Options()
        // Room for one.
        options.maxMessage = 256 << 20
        let service = TestService(upgrades: { _, _ in
            .accept(subprotocol: "test.v1", LongReceiver { count in received.withLock { $0.append(count) } })
        })
        try await listening(service, options: options) { listener, loop in
            let first = try RawSocket(port: listener.port)
            first.send(Upgrading.request)
            #expect(first.head().status == 101)
            let half = [UInt8](repeating: 7, count: 2 << 20)
            first.send(Frame.bytes(2, half, isFinal: false) + Frame.bytes(9, []))
            // Its pong shows that all before it was read.
            #expect(first.exactly(2) == [0x8a, 0])
            let second = RecordingHandler()
            let connection = Client.connect(
                on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: second)
            _ = try await second.opening()
            connection.send([UInt8](repeating: 1, count: 24 << 20))
            let left = try await rest({ connection.outstanding }, of: listener, loop)
            #expect(left > 0 && received.withLock { $0 }.allSatisfy { $0 < 1_000 })
            // A message of usual length waits for nothing.
            let third = RecordingHandler()
            let other = Client.connect(
                on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: third)
            other.send([UInt8](repeating: 2, count: 900_000))
            try await #expect(third.message() == [UInt8](repeating: 2, count: 10))
            first.send(Frame.bytes(0, half))
            try await #expect(second.message() == [UInt8](repeating: 1, count: 10))
            let all = received.withLock { $0 }.filter { $0 > 1_000 }
            #expect(all == [900_000, 4 << 20, 24 << 20])
            // A connection that ends inside its message makes room, too.
            let fourth = try RawSocket(port: listener.port)
            fourth.send(Upgrading.request)
            #expect(fourth.head().status == 101)
            fourth.send(Frame.bytes(2, half, isFinal: false) + Frame.bytes(9, []))
            #expect(fourth.exactly(2) == [0x8a, 0])
            connection.send([UInt8](repeating: 3, count: 24 << 20))
            fourth.finish()
            try await #expect(second.message() == [UInt8](repeating: 3, count: 10))
        }
    }

    /// Counts the bytes of its messages and answers with their first ten.
    private final class LongReceiver: ConnectionHandler {
        private let received: @Sendable (Int) -> Void

        init(_ received: @escaping @Sendable (Int) -> Void) {
            self.received = received
        }

        func opened(_ connection: Connection) {}
        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            received(message.count)
            connection.send(Array(message.prefix(10)))
        }
        func drained(_ connection: Connection) {}
        func closed(_ connection: Connection, code: UInt16?, reason: String) {}
    }

    @Test("pauseReading() stops the peer, resumeReading() continues without loss")
    func pause() async throws {
        let accepted = RecordingHandler()
        try await listening(service(accepted)) { listener, loop in
            let recorder = RecordingHandler()
            let sender = Client.connect(
                on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
            let receiver = try await accepted.opening()
            receiver.pauseReading()
            await loop.caughtUp()
            let count = 60
            for number in 0..<count { sender.send([UInt8](repeating: UInt8(number), count: 1 << 20)) }
            let left = try await rest({ sender.outstanding }, of: listener, loop)
            #expect(left > 0)
            receiver.resumeReading()
            for number in 0..<count {
                let message = try await accepted.message()
                #expect(message.count == 1 << 20 && message.first == UInt8(number) && message.last == UInt8(number))
            }
            // Many times, in the middle of messages.
            for number in 0..<200 {
                receiver.pauseReading()
                sender.send([UInt8](repeating: UInt8(number), count: 100_000))
                receiver.resumeReading()
            }
            for number in 0..<200 { try await #expect(accepted.message().first == UInt8(number)) }
        }
    }

    @Test("A paused connection can be closed from both sides")
    func closing() async throws {
        for isByPauser in [true, false] {
            let accepted = RecordingHandler()
            try await listening(service(accepted)) { listener, loop in
                let recorder = RecordingHandler()
                let sender = Client.connect(
                    on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
                let receiver = try await accepted.opening()
                receiver.pauseReading()
                await loop.caughtUp()
                sender.send([1])
                if isByPauser {
                    receiver.close(code: 4010, reason: "")
                } else {
                    sender.close(code: 4010, reason: "")
                    await loop.caughtUp()
                    receiver.resumeReading()
                }
                try await #expect(accepted.closing().code == 4010)
                try await #expect(recorder.closing().code == 4010)
            }
        }
    }
}
