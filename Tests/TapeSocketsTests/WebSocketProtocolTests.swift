import TapeFormat
import Testing

@testable import TapeSockets

@Suite("A server's WebSocket protocol", .timeLimit(.minutes(1)))
struct WebSocketProtocolTests {
    /// A peer whose upgrade has just been accepted.
    private func socket(_ listener: Listener) throws -> RawSocket {
        let socket = try RawSocket(port: listener.port)
        socket.send(Upgrading.request)
        #expect(socket.exactlyToHead().contains("101 Switching Protocols"))
        return socket
    }

    private func close(_ code: UInt16) -> [UInt8] { [0x88, 2, UInt8(code >> 8), UInt8(code & 255)] }

    @Test("An unmasked frame, invalid UTF-8 and invalid close codes end the connection with the right code")
    func faults() async throws {
        try await listening(.echo()) { listener, _ in
            for (frame, code) in [
                (Frame.bytes(1, [65], mask: nil), 1002), (Frame.bytes(1, [0xff]), 1007),
                (Frame.bytes(8, [0x13, 0x88]), 1002), (Frame.bytes(8, [0xff, 0xff]), 1002), (Frame.bytes(8, [3]), 1002),
                (Frame.bytes(8, [0x03, 0xe8, 0xff]), 1007), (Frame.bytes(3, []), 1002),
            ] as [([UInt8], UInt16)] {
                let socket = try socket(listener)
                socket.send(frame + Frame.bytes(2, [1]))
                let bytes = socket.receiveAll()
                #expect(bytes.first == 0x88 && bytes.dropFirst(2).prefix(2) == close(code)[2...], "\(frame) \(bytes)")
                #expect(bytes.count == 2 + Int(bytes[1]), "nothing follows the close")
            }
        }
    }

    @Test("A close is answered with its own code, and an empty close with an empty one")
    func closes() async throws {
        try await listening(.echo()) { listener, _ in
            for code in [1000, 1001, 3000, 4999] as [UInt16] {
                let socket = try socket(listener)
                socket.send(Frame.bytes(8, [UInt8(code >> 8), UInt8(code & 255)]))
                #expect(socket.receiveAll() == close(code))
            }
            let socket = try socket(listener)
            socket.send(Frame.bytes(8, []))
            #expect(socket.receiveAll() == [0x88, 0])
        }
    }

    @Test("Empty messages and all pings are answered, even between the fragments of a message")
    func echoes() async throws {
        try await listening(.echo()) { listener, _ in
            let socket = try socket(listener)
            socket.send(Frame.bytes(1, []) + Frame.bytes(2, []))
            #expect(socket.exactly(4) == [0x81, 0, 0x82, 0])
            socket.send((0..<10).flatMap { Frame.bytes(9, [$0]) })
            #expect(socket.exactly(30) == (0..<10).flatMap { [0x8a, 1, $0] })
            socket.send(Frame.bytes(1, [65], isFinal: false))
            socket.send(Frame.bytes(9, [7]))
            #expect(socket.exactly(3) == [0x8a, 1, 7])
            socket.send(Frame.bytes(0, [], isFinal: false) + Frame.bytes(0, [66]))
            #expect(socket.exactly(4) == [0x81, 2, 65, 66])
        }
    }

    @Test("A client's empty message arrives")
    func emptyFromClient() async throws {
        try await listening(.echo()) { listener, _ in
            let recorder = RecordingHandler()
            let connection = Client.connect(
                on: .clients, to: "ws://127.0.0.1:\(listener.port)/", subprotocol: "test.v1", handler: recorder)
            connection.send([])
            try await #expect(recorder.message() == [])
            connection.send([1])
            try await #expect(recorder.message() == [1])
        }
    }

    @Test("Frames that arrive together with the request are read")
    func atOnce() async throws {
        try await listening(.echo()) { listener, _ in
            let socket = try RawSocket(port: listener.port)
            socket.send(Array(Upgrading.request.utf8) + Frame.bytes(2, [1, 2, 3]) + Frame.bytes(2, [4]))
            _ = socket.exactlyToHead()
            #expect(socket.exactly(8) == [0x82, 3, 1, 2, 3, 0x82, 1, 4])
        }
    }

    @Test("A handler that pauses gets no further message, even if it is already read")
    func pausing() async throws {
        final class Pausing: ConnectionHandler, Sendable {
            let got = Locked<[[UInt8]]>([])
            func opened(_ connection: Connection) {}
            func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
                got.withLock { $0.append(message) }
                connection.pauseReading()
                connection.send(message)
            }
            func drained(_ connection: Connection) {}
            func closed(_ connection: Connection, code: UInt16?, reason: String) {}
        }
        let handler = Pausing()
        try await listening(.accepting(handler)) { listener, loop in
            let socket = try socket(listener)
            socket.send(Frame.bytes(2, [1]) + Frame.bytes(2, [2]))
            #expect(socket.exactly(3) == [0x82, 1, 1])
            await loop.caughtUp()
            #expect(handler.got.withLock { $0 } == [[1]])
        }
    }
}
