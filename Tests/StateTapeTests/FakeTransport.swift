import TapeFormat

@testable import StateTape
@testable import TapeUplink

/// A transport whose server is the test.
final class FakeTransport: Transport {
    private struct State {
        var hear: (@Sendable (TransportEvent) -> Void)?
        var lines: [[UInt8]] = []
        var messages = 0
        var closes: [UInt16] = []
    }

    private let state = Locked(State())

    func connect(to address: Address, hear: @escaping @Sendable (TransportEvent) -> Void) -> TransportConnection {
        state.withLock { $0.hear = hear }
        hear(.opened)
        return TransportConnection(send: { self.send($0) }, close: { code, _ in self.closed(code) })
    }

    func stop() {}

    private func send(_ message: [UInt8]) {
        state.withLock {
            $0.lines += message.split(separator: UInt8(ascii: "\n")).map { Array($0) }
            $0.messages += 1
        }
        state.withLock { $0.hear }?(.drained)
    }

    private func closed(_ code: UInt16) { state.withLock { $0.closes.append(code) } }

    func say(_ line: ServerLine) { state.withLock { $0.hear }?(.received(line.bytes)) }
    func say(_ bytes: [UInt8]) { state.withLock { $0.hear }?(.received(bytes)) }
    func close(_ code: UInt16?) { state.withLock { $0.hear }?(.closed(code: code, reason: "")) }

    /// The number of messages sent.
    var messages: Int { state.withLock { $0.messages } }
    /// The events sent on all connections.
    var events: [EventLine] { state.withLock { $0.lines }.compactMap { try? EventLine(parsing: $0) } }
    var pushed: [Pushed] {
        state.withLock { $0.lines }.compactMap {
            if case .pushed(let pushed)? = try? AppLine(parsing: $0) { pushed } else { nil }
        }
    }
}
