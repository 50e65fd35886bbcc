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

    private func service(_ handler: any ConnectionHandler & Sendable) -> TestService {
        TestService(upgrades: { request, _ in
            if request.path == "/echo" { return .accept(subprotocol: "test.v1", Echo()) }
            return .accept(subprotocol: "test.v1", handler)
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
