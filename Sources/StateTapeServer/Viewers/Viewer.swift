import TapeFormat
import TapeSockets

/// A connected page.
final class Viewer: ConnectionHandler, Sendable {
    /// Bytes of the longest message: one turn of the loop works through all its lines.
    private static let maxMessage = 256 << 10

    let client: Requester
    let since = ContinuousClock.now
    private let fanOut: FanOut
    private let source: any ViewerSource
    private let loop: EventLoop
    private let timeout: Duration
    private let state = Locked(ViewerState())
    private let connection = Locked<Connection?>(nil)
    /// Bytes sent so far, and whether a timer checks that the viewer reads them.
    private let sent = Locked(0)
    private let isTimed = Locked(false)

    init(_ fanOut: FanOut, _ source: any ViewerSource, of client: Requester, loop: EventLoop, timeout: Duration) {
        self.client = client
        self.fanOut = fanOut
        self.source = source
        self.loop = loop
        self.timeout = timeout
    }

    func opened(_ connection: Connection) {
        self.connection.withLock { $0 = connection }
        connection.limitMessages(to: Self.maxMessage)
        if let failure = fanOut.add(self) { send(.archive(error: failure)) }
    }

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        self.connection.withLock { $0 = nil }
        fanOut.remove(self, from: state.withLock { $0.sessions })
    }

    func received(_ connection: Connection, _ message: [UInt8], isText: Bool) {
        var asksForList = false
        for line in message.lines {
            do throws(FormatError) {
                let request = try ViewerRequest(parsing: line)
                if case .watchSessions = request {
                    // The list is as long as there are apps. Once a message is enough.
                    if asksForList { continue }
                    asksForList = true
                }
                try take(request)
            } catch {
                send(.error(LinkError(code: "bad-line", message: error.description)))
                connection.close(code: CloseCode.badLine.rawValue, reason: "bad line")
                return
            }
        }
        // A viewer that sends requests but doesn't read must read first.
        if connection.outstanding > ViewerState.bound {
            connection.pauseReading()
            watchReading()
        }
    }

    func drained(_ connection: Connection) {
        let (lines, missed) = state.withLock { $0.drained() }
        for line in lines { send(line) }
        connection.resumeReading()
        if !missed.isEmpty { source.sendSummaries(missed) }
    }

    /// - Parameter messages: The lines, written once for all viewers.
    func publish(_ session: String, _ lines: [EventLine], as messages: [[UInt8]]) {
        guard let first = lines.first?.first, let last = lines.last?.seq,
            let connection = connection.withLock({ $0 })
        else { return }
        let outstanding = connection.outstanding
        let from = unlessBehind { $0.publish(session, first..<last + 1, outstanding: outstanding) }
        guard let from else { return }
        let own = from == first ? messages : EventMessages.make(session, lines.filter { $0.seq >= from })
        for message in own { send(message, connection) }
    }

    func publish(summary: [UInt8], of session: String) {
        guard let connection = connection.withLock({ $0 }) else { return }
        let outstanding = connection.outstanding
        if unlessBehind({ $0.publish(summaryOf: session, outstanding: outstanding) }) {
            send(summary, connection)
        }
    }

    /// Closes the connection, so that the page connects again and loads everything.
    func reload() {
        connection.withLock { $0 }?.close(code: CloseCode.goingAway.rawValue, reason: "load everything again")
    }

    /// Closes the connection, because a page with control needs its place. The page tries again later.
    func giveWay() {
        connection.withLock { $0 }?.close(
            code: CloseCode.tryAgainLater.rawValue, reason: "another page needs this place")
    }

    func send(_ line: ViewerLine) {
        if let connection = connection.withLock({ $0 }) { send(line.bytes, connection) }
    }

    private func send(_ message: [UInt8], _ connection: Connection) {
        sent.withLock { $0 += message.count }
        connection.send(message, isText: true)
    }

    private func take(_ request: ViewerRequest) throws(FormatError) {
        switch request {
        case .watch(let session):
            guard state.withLock({ $0.watch(session) }) else {
                throw FormatError("a viewer may watch \(ViewerState.maxSessions) sessions")
            }
            // Commits from now on are queued for the viewer; then its starting point is read.
            fanOut.watch(session, self)
            readNext()
        case .unwatch(let session):
            fanOut.unwatch(session, self)
            state.withLock { $0.unwatch(session) }
        case .watchSessions:
            fanOut.watchSessions(self)
            source.sendSummaries(nil)
            send(.runs(fanOut.runs))
        case .unknown: break
        }
    }

    private func readNext() {
        let sessions = state.withLock { $0.takeAsked() }
        if sessions.isEmpty { return }
        source.next(sessions) { [self] next in
            guard let next else {
                connection.withLock { $0 }?.close(
                    code: CloseCode.serverFailed.rawValue, reason: "the server can't read its archive")
                return
            }
            for line in state.withLock({ $0.found(next) }) { send(line) }
            for (session, next) in next { fanOut.began(session, at: next) }
            readNext()
        }
    }

    private func unlessBehind<Sent>(_ body: (inout ViewerState) -> Sent) -> Sent {
        let (sent, fellBehind) = state.withLock { state in
            let wasBehind = state.isBehind
            let sent = body(&state)
            return (sent, !wasBehind && state.isBehind)
        }
        if fellBehind { watchReading() }
        return sent
    }

    /// Closes the connection if the viewer reads nothing although much is queued.
    private func watchReading() {
        guard let read,
            isTimed.withLock({ isTimed in
                defer { isTimed = true }
                return !isTimed
            })
        else { return }
        loop.schedule(after: timeout) { [weak self] in
            guard let self else { return }
            isTimed.withLock { $0 = false }
            guard let connection = connection.withLock({ $0 }),
                state.withLock({ $0.isBehind }) || connection.outstanding > ViewerState.bound
            else { return }
            if self.read ?? 0 > read { return watchReading() }
            connection.close(code: CloseCode.viewerSlow.rawValue, reason: "the viewer read nothing for too long")
        }
    }

    /// Bytes that the system has accepted for the viewer.
    private var read: Int? {
        connection.withLock { $0 }.map { connection in sent.withLock { $0 } - connection.outstanding }
    }
}
