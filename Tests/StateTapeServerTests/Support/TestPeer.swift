#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// The other end of a link: what it received can be waited for, in order.
    final class TestPeer: ConnectionHandler {
        enum Item: Sendable {
            case opened
            case line([UInt8])
            case closed(code: UInt16?, reason: String)
        }

        private struct State {
            var items: [Item] = []
            var waiter: CheckedContinuation<Item, Never>?
        }

        private let state = Mutex(State())
        private let connection = Mutex<Connection?>(nil)

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

        /// The next thing that happened, as soon as it does.
        func next() async -> Item {
            await withCheckedContinuation { continuation in
                let item = state.withLock { state -> Item? in
                    if !state.items.isEmpty { return state.items.removeFirst() }
                    state.waiter = continuation
                    return nil
                }
                if let item { continuation.resume(returning: item) }
            }
        }

        /// How the connection ended; lines before it are passed over.
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
            let waiter = state.withLock { state in
                guard let waiter = state.waiter else {
                    state.items.append(item)
                    return CheckedContinuation<Item, Never>?.none
                }
                state.waiter = nil
                return waiter
            }
            waiter?.resume(returning: item)
        }
    }

    /// Why a wait for a line ended without it.
    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    extension TestPeer {
        /// The first line from the server that `pick` takes; those before it are passed over.
        func line<Value>(_ pick: (ServerLine) -> Value?) async throws -> Value {
            try await line { bytes in pick(try ServerLine(parsing: bytes)) }
        }

        /// The first line to a viewer that `pick` takes.
        func viewerLine<Value>(_ pick: (ViewerLine) -> Value?) async throws -> Value {
            try await line { bytes in pick(try ViewerLine(parsing: bytes)) }
        }

        private func line<Value>(_ pick: ([UInt8]) throws -> Value?) async throws -> Value {
            while true {
                switch await next() {
                case .opened: continue
                case .line(let bytes): if let value = try pick(bytes) { return value }
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

        /// Why the archive can't be written; nil if it can again.
        func archive() async throws -> String? {
            try await viewerLine { (line: ViewerLine) -> String?? in
                if case .archive(let error) = line { .some(error) } else { nil }
            }
        }

        /// The next event's line.
        func event() async throws -> JSON {
            try await viewerLine { if case .event(_, let line, _) = $0 { line } else { nil } }
        }

        /// The next summary that passes.
        func summary(_ passes: @Sendable (JSON) -> Bool = { _ in true }) async throws -> JSON {
            try await viewerLine { if case .session(let summary) = $0, passes(summary) { summary } else { nil } }
        }
    }
#endif
