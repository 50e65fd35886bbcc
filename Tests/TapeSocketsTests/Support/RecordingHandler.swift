import TapeSockets
import Testing

/// A handler that records its events, so that a test can read them one by one.
final class RecordingHandler: ConnectionHandler, Sendable {
    enum Event: Equatable, Sendable {
        case opened
        case message([UInt8], isText: Bool)
        case drained
        case closed(UInt16?, String)
    }

    let events: AsyncStream<(Connection, Event)>
    private let continuation: AsyncStream<(Connection, Event)>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func opened(_ connection: Connection) { continuation.yield((connection, .opened)) }
    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        continuation.yield((connection, .message(message, isText: isText)))
    }
    func drained(_ connection: Connection) { continuation.yield((connection, .drained)) }
    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        continuation.yield((connection, .closed(code, reason)))
    }

    /// The next event that `isWanted`, and its connection.
    func next(where isWanted: (Event) -> Bool) async -> (Connection, Event)? {
        for await event in events where isWanted(event.1) { return event }
        return nil
    }

    /// Marks the end: no event will follow.
    func finish() { continuation.finish() }

    func opening() async throws -> Connection {
        try #require(await next { $0 == .opened }?.0)
    }

    func message() async throws -> [UInt8] {
        guard
            case .message(let bytes, _) = await next(where: { if case .drained = $0 { false } else { $0 != .opened } })?
                .1
        else { throw Unexpected() }
        return bytes
    }

    func closing() async throws -> (code: UInt16?, reason: String) {
        guard
            case .closed(let code, let reason) = await next(where: { if case .closed = $0 { true } else { false } })?.1
        else { throw Unexpected() }
        return (code, reason)
    }

    struct Unexpected: Error {}
}
