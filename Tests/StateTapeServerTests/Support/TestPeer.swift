import TapeFormat
import TapeSockets

/// The other end of a link. Tests wait for the items that it receives, in order.
final class TestPeer: ConnectionHandler, Sendable {
    enum Item: Sendable {
        case opened
        case line([UInt8])
        case closed(code: UInt16?, reason: String)

        /// Returned in place of an item that did not arrive.
        static var late: Item { .closed(code: nil, reason: "the test's time is over") }
    }

    private struct State {
        var items: [Item] = []
        /// Waits until more items have arrived.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())
    private let connection = Locked<Connection?>(nil)

    /// Connects, and returns once that has succeeded or failed.
    static func connect(
        on loop: EventLoop, to url: String, subprotocol: String, headers: [(String, String)] = []
    ) async -> TestPeer {
        let peer = TestPeer()
        let connection = Client.connect(
            on: loop, to: url, subprotocol: subprotocol, headers: headers, handler: peer)
        peer.connection.withLock { $0 = connection }
        return peer
    }

    func send(_ lines: [[UInt8]]) {
        connection.withLock { $0 }?.send(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    func close() {
        connection.withLock { $0 }?.close(code: 1000, reason: "")
    }

    func pauseReading() {
        connection.withLock { $0 }?.pauseReading()
    }

    func resumeReading() {
        connection.withLock { $0 }?.resumeReading()
    }

    /// The next item, as soon as it arrives. Ends with the test's time limit.
    func next() async -> Item {
        await more(than: 0)
        return state.withLock { $0.items.isEmpty ? .late : $0.items.removeFirst() }
    }

    /// The first unread item that `pick` accepts.
    ///
    /// - Parameter leaving: Whether earlier items stay unread. The server uses several threads, so their order may
    ///   vary.
    fileprivate func first<Value>(leaving: Bool, _ pick: (Item) throws -> Value?) async throws -> Value {
        var seen = 0
        while true {
            await more(than: seen)
            guard let item = state.withLock({ seen < $0.items.count ? $0.items[seen] : nil }) else {
                throw CancellationError()
            }
            if let value = try pick(item) {
                state.withLock { $0.items.removeSubrange(leaving ? seen...seen : 0...seen) }
                return value
            }
            seen += 1
        }
    }

    /// Returns once more items have arrived, or when the test is cancelled.
    private func more(than count: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.items.count <= count, !Task.isCancelled else { return false }
                    state.waiter = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }

    /// How the connection ended. Skips lines before that.
    func closed() async -> (code: UInt16?, reason: String) {
        while true {
            if case .closed(let code, let reason) = await next() { return (code, reason) }
        }
    }

    func opened(_ connection: Connection) {
        add(.opened)
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        for line in message.split(separator: UInt8(ascii: "\n")) { add(.line(Array(line))) }
    }

    func drained(_ connection: Connection) {}

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        add(.closed(code: code, reason: reason))
    }

    private func add(_ item: Item) {
        wake { $0.append(item) }
    }

    private func wake(_ change: (inout [Item]) -> Void) {
        let waiter = state.withLock { state in
            change(&state.items)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}

/// Why a wait for a line failed.
struct Ended: Error, CustomStringConvertible {
    let description: String
}

extension TestPeer {
    /// The first line from the server that `pick` accepts. The others stay unread.
    func line<Value>(_ pick: (ServerLine) -> Value?) async throws -> Value {
        try await line(leaving: true) { bytes in pick(try ServerLine(parsing: bytes)) }
    }

    /// The first line to a viewer that `pick` accepts. Skips the lines before it.
    func viewerLine<Value>(_ pick: (ViewerLine) -> Value?) async throws -> Value {
        try await line(leaving: false) { bytes in pick(try ViewerLine(parsing: bytes)) }
    }

    private func line<Value>(leaving: Bool, _ pick: ([UInt8]) throws -> Value?) async throws -> Value {
        try await first(leaving: leaving) { item in
            switch item {
            case .opened: return nil
            case .line(let bytes): return try pick(bytes)
            case .closed(let code, let reason): throw Ended(description: "closed with \(code ?? 0): \(reason)")
            }
        }
    }

    func welcome() async throws -> Welcome {
        try await line { (line: ServerLine) in if case .welcome(let welcome) = line { welcome } else { nil } }
    }

    /// Waits until everything below `next` is acknowledged.
    func acknowledged(_ next: Int) async throws {
        try await line { (line: ServerLine) -> Void? in
            if case .ack(let acknowledged) = line, acknowledged >= next { () } else { nil }
        }
    }

    func push() async throws -> Push {
        try await line { (line: ServerLine) in if case .push(let push) = line { push } else { nil } }
    }

    func want() async throws -> String {
        try await line { (line: ServerLine) in if case .want(let store) = line { store } else { nil } }
    }

    func watching() async throws -> Int {
        try await viewerLine { if case .watching(_, let next) = $0 { next } else { nil } }
    }

    /// Why the archive can't be written; nil once it can.
    func archive() async throws -> String? {
        try await viewerLine { (line: ViewerLine) -> String?? in
            if case .archive(let error) = line { .some(error) } else { nil }
        }
    }

    /// The next event line. The others stay unread: a summary may arrive before the events that it counts.
    func event() async throws -> JSON {
        try await line(leaving: true) { bytes in
            if case .event(_, let line, _) = try ViewerLine(parsing: bytes) { line } else { nil }
        }
    }

    /// The next summary that matches.
    func summary(_ passes: @Sendable (JSON) -> Bool = { _ in true }) async throws -> JSON {
        try await viewerLine { if case .session(let summary) = $0, passes(summary) { summary } else { nil } }
    }
}
