#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// A connected page.
    final class Viewer: ConnectionHandler {
        /// What a viewer needs of the rooms around it.
        struct Hooks: Sendable {
            /// The lowest seq of a session that isn't committed, between two commits; through the loop.
            var next: @Sendable (_ session: String, _ then: @escaping @Sendable (Int) -> Void) -> Void
            /// The list is watched: its live sessions, or ones whose summary was missed, are to be told.
            var tell: @Sendable (_ sessions: Set<String>?) -> Void
        }

        private let fanOut: FanOut
        private let hooks: Hooks
        private let loop: EventLoop
        private let patience: Duration
        private let state = Mutex(ViewerState())
        private let connection = Mutex<Connection?>(nil)

        init(_ fanOut: FanOut, _ hooks: Hooks, loop: EventLoop, patience: Duration) {
            self.fanOut = fanOut
            self.hooks = hooks
            self.loop = loop
            self.patience = patience
        }

        func opened(_ connection: Connection) {
            self.connection.withLock { $0 = connection }
            fanOut.add(self)
        }

        func closed(_ connection: Connection, code: UInt16?, reason: String) {
            self.connection.withLock { $0 = nil }
            fanOut.remove(self)
        }

        func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
            for line in message.lines {
                do throws(FormatError) {
                    take(try ViewerRequest(parsing: line))
                } catch {
                    send(.error(LinkError(code: "bad-line", message: error.description)))
                    connection.close(code: CloseCode.badLine.rawValue, reason: "bad line")
                    return
                }
            }
        }

        func drained(_ connection: Connection) {
            let (lines, missed) = state.withLock { $0.drained() }
            for line in lines { send(line) }
            if !missed.isEmpty { hooks.tell(missed) }
        }

        func publish(_ session: String, _ messages: [[UInt8]], next: Int) {
            guard let connection = connection.withLock({ $0 }) else { return }
            let outstanding = connection.outstanding
            if unlessBehind({ $0.publish(session, next: next, outstanding: outstanding) }) {
                for message in messages { connection.send(message, isText: true) }
            }
        }

        func publish(summary: [UInt8], of session: String) {
            guard let connection = connection.withLock({ $0 }) else { return }
            let outstanding = connection.outstanding
            if unlessBehind({ $0.publish(summaryOf: session, outstanding: outstanding) }) {
                connection.send(summary, isText: true)
            }
        }

        private func take(_ request: ViewerRequest) {
            switch request {
            case .watch(let session):
                hooks.next(session) { next in
                    // The commits before this are published, those after will be: there is no hole between.
                    guard self.fanOut.watch(session, self) else { return }
                    self.send(self.state.withLock { $0.watch(session, next: next) })
                }
            case .unwatch(let session):
                // The same way as `watch`, so that it can't overtake one.
                hooks.next(session) { _ in
                    self.fanOut.unwatch(session, self)
                    self.state.withLock { $0.unwatch(session) }
                }
            case .watchSessions:
                fanOut.watchSessions(self)
                hooks.tell(nil)
            case .unknown: break
            }
        }

        private func send(_ line: ViewerLine) {
            connection.withLock { $0 }?.send(line.bytes, isText: true)
        }

        private func unlessBehind(_ body: (inout ViewerState) -> Bool) -> Bool {
            let (isSent, fellBehind) = state.withLock { state in
                let wasBehind = state.isBehind
                let isSent = body(&state)
                return (isSent, !wasBehind && state.isBehind)
            }
            if fellBehind { watchReading() }
            return isSent
        }

        /// Closes the connection if it reads nothing at all while it is behind.
        private func watchReading() {
            guard let outstanding = connection.withLock({ $0 })?.outstanding else { return }
            loop.schedule(after: patience) { [weak self] in
                guard let self, let connection = connection.withLock({ $0 }), state.withLock({ $0.isBehind }) else {
                    return
                }
                if connection.outstanding < outstanding { return watchReading() }
                connection.close(code: CloseCode.viewerSlow.rawValue, reason: "nothing was read for too long")
            }
        }
    }
#endif
