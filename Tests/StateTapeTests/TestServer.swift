#if os(Linux)
    import Foundation
    import TapeFormat
    import TapeSockets

    @testable import StateTape

    /// A minimal server side of the app link over real sockets: it welcomes, keeps and acknowledges events.
    final class TestServer: Sendable {
        struct State {
            /// The hellos of the app's own connections, without recovered sessions.
            var hellos: [Hello] = []
            /// The events of each session.
            var tapes: [String: [EventLine]] = [:]
            /// The hellos of recovered sessions.
            var recoveries: [Hello] = []
            fileprivate var speakers: [ObjectIdentifier: String] = [:]
            var pushed: [Pushed] = []
            /// How many actions the locked app has queued.
            var queued = 0
            /// Every line in order of arrival: `hello`, `pushed`, or the seq of an event.
            var order: [String] = []
            var connection: Connection?

            /// The events of the app's own session.
            var events: [EventLine] { tapes[hellos.last?.header.session ?? ""] ?? [] }
            var have: Int { have(of: hellos.last?.header.session ?? "") }

            func have(of session: String) -> Int { (tapes[session]?.last?.seq ?? -1) + 1 }

            /// The states of a store after each of its events on the tape.
            func states(of store: String = "main") throws -> [JSON] {
                var (states, base): ([JSON], JSON?) = ([], nil)
                for event in events where event.store == store || event.kind == .gap {
                    if event.kind == .gap { base = nil }
                    if let full = event["state"] { base = full }
                    if let patch = event["patch"], var next = base {
                        try Patch(patch).apply(to: &next)
                        base = next
                    }
                    if let base, event.raw("state") ?? event.raw("patch") != nil { states.append(base) }
                }
                return states
            }
        }

        private struct Waiter {
            let condition: @Sendable (State) -> Bool
            let resume: @Sendable () -> Void
        }

        struct Manners {
            var start: Welcome.Start?
            /// If false, the test calls ``welcome()``.
            var welcomes = true
            var acknowledges = true
            /// As servers before version 0.1.0, it has none.
            var archive: String?
            var isPrivate = false
            /// Whether it knows nothing of the archive that an app asks for.
            var ignoresArchives = false
            /// Sessions to close at their hello, with these codes.
            var refuses: [String: UInt16] = [:]
        }

        /// The ports of this process's servers so far.
        private static let ports = Locked<Set<Int>>([])

        private let loop: EventLoop
        private let manners: Manners
        private let guarded: Locked<(state: State, waiters: [Waiter])>
        private let listener = Locked<Listener?>(nil)

        /// - Parameters:
        ///   - events: The events of the first session that an earlier server had kept.
        ///   - tapes: The events of other sessions that it had kept.
        init(
            port: Int = 0, events: [EventLine] = [], tapes: [String: [EventLine]] = [:], _ manners: Manners = Manners()
        ) throws {
            let door = Door()
            self.manners = manners
            var state = State()
            state.tapes = tapes
            if !events.isEmpty { state.tapes[""] = events }
            guarded = Locked((state, []))
            func listen() throws -> (EventLoop, Listener) {
                let loop = try EventLoop()
                return (
                    loop,
                    try Listener(
                        on: loop, host: "127.0.0.1", port: port, subprotocols: ["statetape.v1"], service: door)
                )
            }
            var (loop, made) = try listen()
            // The recorder of an earlier test may still look for its server at a port that the system gives again.
            while port == 0, !Self.ports.withLock({ $0.insert(made.port).inserted }) {
                loop.stop()
                (loop, made) = try listen()
            }
            self.loop = loop
            listener.withLock { [made] in $0 = made }
            door.server.withLock { $0.server = self }
        }

        deinit { loop.stop() }

        var port: Int { listener.withLock { $0?.port ?? 0 } }
        var url: String { "http://127.0.0.1:\(port)/" }
        var state: State { guarded.withLock { $0.state } }

        func stop() { loop.stop() }

        /// Waits until the state meets the condition.
        @discardableResult
        func wait(for condition: @escaping @Sendable (State) -> Bool) async -> State {
            await withCheckedContinuation { continuation in
                let isMet = guarded.withLock { guarded in
                    if condition(guarded.state) { return true }
                    guarded.waiters.append(Waiter(condition: condition, resume: { continuation.resume() }))
                    return false
                }
                if isMet { continuation.resume() }
            }
            return state
        }

        @discardableResult
        func wait(forEvents count: Int) async -> [EventLine] {
            await wait { $0.have >= count }.events
        }

        func send(_ line: ServerLine) {
            state.connection?.send(line.bytes)
        }

        /// Pushes and waits for the answer.
        func push(
            _ id: String, store: String = "main", expires: Int? = 60_000, isExact: Bool = false,
            _ content: Push.Content
        ) async -> Pushed.Result? {
            send(.push(Push(id: id, store: store, expires: expires, isExact: isExact, content: content)))
            return await wait { $0.pushed.contains { $0.id == id } }.pushed.first { $0.id == id }?.result
        }

        func welcome() {
            guard let hello = state.hellos.last else { return }
            send(.welcome(welcome(to: hello)))
        }

        private func welcome(to hello: Hello) -> Welcome {
            let have = state.have(of: hello.header.session)
            return Welcome(
                session: hello.header.session, have: have, server: "test", archive: manners.archive,
                isPrivate: manners.isPrivate, maxMessage: 1 << 20, recording: true, locked: false,
                start: have == 0 ? manners.start : nil)
        }

        func states(of store: String = "main") throws -> [JSON] { try state.states(of: store) }

        private func change(_ body: (inout State) -> Void) {
            let ready = guarded.withLock { guarded in
                body(&guarded.state)
                let ready = guarded.waiters.filter { $0.condition(guarded.state) }
                guarded.waiters.removeAll { $0.condition(guarded.state) }
                return ready
            }
            for waiter in ready { waiter.resume() }
        }

        fileprivate func closed(_ connection: Connection) {
            change { if $0.connection === connection { $0.connection = nil } }
        }

        fileprivate func received(_ connection: Connection, _ message: [UInt8]) {
            for bytes in message.split(separator: UInt8(ascii: "\n")) {
                switch try? AppLine(parsing: Array(bytes)) {
                case .hello(let hello):
                    if let wanted = hello.archive, wanted != manners.archive, !manners.ignoresArchives {
                        connection.close(code: CloseCode.otherArchive.rawValue, reason: "")
                        return
                    }
                    heard(hello, connection)
                    if let code = manners.refuses[hello.header.session] {
                        connection.close(code: code, reason: "")
                        return
                    }
                    if manners.welcomes || hello.recovered {
                        connection.send(ServerLine.welcome(welcome(to: hello)).bytes)
                    }
                case .event(let line): keep(line, connection)
                case .pushed(let pushed):
                    change {
                        $0.pushed.append(pushed)
                        $0.order.append("pushed \(pushed.id)")
                    }
                case .queued(let count): change { $0.queued = count }
                default: connection.close(code: 4000, reason: "bad line")
                }
            }
            let state = state
            if manners.acknowledges, let session = state.speakers[ObjectIdentifier(connection)] {
                connection.send(ServerLine.ack(next: state.have(of: session)).bytes)
            }
        }

        private func heard(_ hello: Hello, _ connection: Connection) {
            change { state in
                let session = hello.header.session
                state.speakers[ObjectIdentifier(connection)] = session
                if hello.recovered { return state.recoveries.append(hello) }
                if let kept = state.tapes.removeValue(forKey: "") { state.tapes[session] = kept }
                state.connection = connection
                state.hellos.append(hello)
                state.order.append("hello")
            }
        }

        private func keep(_ line: EventLine, _ connection: Connection) {
            change { state in
                guard let session = state.speakers[ObjectIdentifier(connection)] else { return }
                let have = state.have(of: session)
                guard line.seq >= have else { return }
                if line.first > have { connection.close(code: 4005, reason: "out of order") }
                state.tapes[session, default: []].append(line)
                if state.connection === connection { state.order.append("\(line.seq)") }
            }
        }
    }

    /// The listener's service, which doesn't keep the server alive after its test.
    private final class Door: Service, ConnectionHandler {
        struct Weak {
            weak var server: TestServer?
        }

        let server = Locked(Weak())
        private var owner: TestServer? { server.withLock { $0.server } }

        func admit(_ request: HTTPRequest) -> HTTPResponse? { nil }
        func handle(_ exchange: HTTPExchange) { exchange.respond(HTTPResponse(status: 404)) }

        func upgrade(_ request: HTTPRequest, offered: [String]) -> Upgrade {
            request.path == "/v1/app"
                ? .accept(subprotocol: "statetape.v1", self) : .refuse(HTTPResponse(status: 404))
        }

        func opened(_ connection: Connection) {}
        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            owner?.received(connection, message)
        }
        func drained(_ connection: Connection) {}
        func closed(_ connection: Connection, code: UInt16?, reason: String) { owner?.closed(connection) }
    }
#endif
