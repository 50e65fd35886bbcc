#if Server
    import Foundation
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// Kills a random server again and again while apps record, and compares what is stored with what they sent.
    struct CrashRun {
        let database: String
        let kills: Int

        private static let rate = 50

        func run() throws {
            let fleet = try ServerFleet(database)
            defer { fleet.stop() }
            let loop = try EventLoop()
            defer { loop.stop() }
            let apps = (0..<20).map { StubbornApp($0, loop, fleet.port) }
            for app in apps { app.connect() }
            let isOver = Mutex(false)
            let sender = Thread {
                let start = Date()
                var tick = 0
                while !isOver.withLock({ $0 }) {
                    Thread.sleep(until: start + Double(tick) / Double(Self.rate))
                    for app in apps { app.record() }
                    tick += 1
                }
            }
            sender.start()
            for _ in 0..<kills {
                Thread.sleep(forTimeInterval: .random(in: 0.2...1))
                try fleet.crash(.random(in: 0..<ServerFleet.count))
            }
            isOver.withLock { $0 = true }
            while !sender.isFinished { Thread.sleep(forTimeInterval: 0.01) }
            for app in apps { app.finish() }
            var events = 0
            for app in apps {
                if app.isLost { throw Lost(description: "\(app.session): acknowledged events were lost") }
                let stored = try Self.lines(app.session, fleet.port)
                guard stored == app.lines else {
                    throw Lost(
                        description:
                            "\(app.session): \(stored.count) lines are stored, \(app.lines.count) were recorded")
                }
                events += stored.count
            }
            FileHandle.standardError.write(
                Data(
                    """
                    \(kills) kills, \(events) events of \(apps.count) apps, \(apps.map(\.reconnects).reduce(0, +)) \
                    reconnects: none lost, doubled or different.

                    """.utf8))
        }

        private static func lines(_ session: String, _ port: Int) throws -> [[UInt8]] {
            guard let url = URL(string: "http://127.0.0.1:\(port)/api/v1/sessions/\(session)/tape") else { return [] }
            return try [UInt8](Data(contentsOf: url)).split(separator: UInt8(ascii: "\n")).dropFirst().map { Array($0) }
        }
    }

    /// A minimal app that keeps all its lines, connects again when its connection ends, and sends what isn't stored.
    private final class StubbornApp: ConnectionHandler {
        private struct State {
            var lines: [[UInt8]] = []
            var connection: Connection?
            var isWelcome = false
            var acknowledged = 0
            var attempt = 0
            var isOver = false
            /// A server did not have what another one had acknowledged.
            var isLost = false
        }

        let session: String
        private let loop: EventLoop
        private let port: Int
        private let state = Mutex(State())
        private let changed = DispatchSemaphore(value: 0)

        var lines: [[UInt8]] { state.withLock { $0.lines } }
        var isLost: Bool { state.withLock { $0.isLost } }
        var reconnects: Int { state.withLock { $0.attempt - 1 } }

        init(_ number: Int, _ loop: EventLoop, _ port: Int) {
            session = String(format: "BENCH-CRASH-%04d", number)
            (self.loop, self.port) = (loop, port)
        }

        func connect() {
            state.withLock { $0.attempt += 1 }
            Client.connect(
                on: loop, to: "ws://127.0.0.1:\(port)/v1/app", subprotocol: "statetape.v1", handler: self)
        }

        func record() {
            let (connection, line) = state.withLock { state in
                let seq = state.lines.count
                let line =
                    seq == 0
                    ? EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", ["count": 0])]).bytes
                    : LoadBenchmark.event(seq)
                state.lines.append(line)
                return (state.isWelcome ? state.connection : nil, line)
            }
            connection?.send(line)
        }

        /// Waits until everything is acknowledged, and closes.
        func finish() {
            while state.withLock({ $0.acknowledged < $0.lines.count }) { changed.wait() }
            let connection = state.withLock { state in
                state.isOver = true
                return state.connection
            }
            connection?.close(code: 1000, reason: "")
        }

        func opened(_ connection: Connection) {
            let attempt = state.withLock { state in
                state.connection = connection
                return state.attempt
            }
            let header = Header(session: session, app: .init(id: "bench"), started: "2026-11-20T10:00:00Z")
            connection.send(
                AppLine.hello(Hello(header: header, key: "key", next: 0, fresh: false, attempt: attempt)).bytes)
        }

        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            for line in message.split(separator: UInt8(ascii: "\n")) {
                switch try? ServerLine(parsing: Array(line)) {
                case .welcome(let welcome):
                    let left = state.withLock { state in
                        state.isWelcome = true
                        // A real app doesn't have these events any more.
                        if welcome.have < state.acknowledged { state.isLost = true }
                        state.acknowledged = max(state.acknowledged, welcome.have)
                        return state.lines.dropFirst(welcome.have)
                    }
                    if !left.isEmpty { connection.send(Array(left.joined(separator: [UInt8(ascii: "\n")]))) }
                case .ack(let next): state.withLock { $0.acknowledged = max($0.acknowledged, next) }
                default: break
                }
            }
            changed.signal()
        }

        func drained(_ connection: Connection) {}

        func closed(_ connection: Connection, code: UInt16?, reason: String) {
            let isOver = state.withLock { state in
                (state.isWelcome, state.connection) = (false, nil)
                return state.isOver
            }
            if !isOver { loop.schedule(after: .milliseconds(100)) { self.connect() } }
        }
    }
#endif
