import TapeFormat
import TapeSockets

/// A connected page. On the loop's thread.
final class Viewer: ConnectionHandler {
    /// Bytes of the longest message: one turn of the loop works through all its lines.
    private static let maxMessage = 256 << 10

    let client: Requester
    let since = ContinuousClock.now
    private let fanOut: FanOut
    private let source: any ViewerSource
    private let loop: EventLoop
    private let timeout: Duration
    private var state = ViewerState()
    private var connection: Connection?
    /// Bytes sent so far, and whether a timer checks that the viewer reads them.
    private var sent = 0
    private var isTimed = false

    init(_ fanOut: FanOut, _ source: any ViewerSource, of client: Requester, loop: EventLoop, timeout: Duration) {
        (self.client, self.fanOut, self.source) = (client, fanOut, source)
        (self.loop, self.timeout) = (loop, timeout)
    }

    func opened(_ connection: Connection) {
        self.connection = connection
        connection.limitMessages(to: Self.maxMessage)
        if let failure = fanOut.add(self) { send(.archive(error: failure)) }
    }

    func closed(_ connection: Connection, code: UInt16?, reason: String) {
        self.connection = nil
        fanOut.remove(self, from: state.sessions)
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
        let (lines, missed) = state.drained()
        for line in lines { send(line) }
        connection.resumeReading()
        if !missed.isEmpty { source.sendSummaries(missed) }
    }

    /// - Parameter messages: The lines, written once for all viewers.
    func publish(_ session: String, _ lines: [EventLine], as messages: [[UInt8]]) {
        guard let first = lines.first?.first, let last = lines.last?.seq, let connection else { return }
        let outstanding = connection.outstanding
        let from = unlessBehind { $0.publish(session, first..<last + 1, outstanding: outstanding) }
        guard let from else { return }
        let own = from == first ? messages : EventMessages.make(session, lines.filter { $0.seq >= from })
        for message in own { send(message, connection) }
    }

    func publish(summary: [UInt8], of session: String) {
        guard let connection else { return }
        let outstanding = connection.outstanding
        if unlessBehind({ $0.publish(summaryOf: session, outstanding: outstanding) }) {
            send(summary, connection)
        }
    }

    /// Closes the connection, so that the page connects again and loads everything.
    func reload() {
        connection?.close(code: CloseCode.goingAway.rawValue, reason: "load everything again")
    }

    /// Closes the connection, because a page with control needs its place. The page tries again later.
    func giveWay() {
        connection?.close(code: CloseCode.tryAgainLater.rawValue, reason: "another page needs this place")
    }

    func send(_ line: ViewerLine) {
        if let connection { send(line.bytes, connection) }
    }

    private func send(_ message: [UInt8], _ connection: Connection) {
        sent += message.count
        connection.send(message, isText: true)
    }

    private func take(_ request: ViewerRequest) throws(FormatError) {
        switch request {
        case .watch(let session):
            guard state.watch(session) else {
                throw FormatError("a viewer may watch \(ViewerState.maxSessions) sessions")
            }
            // Commits from now on are queued for the viewer; then its starting point is read.
            fanOut.watch(session, self)
            readNext()
        case .unwatch(let session):
            fanOut.unwatch(session, self)
            state.unwatch(session)
        case .watchSessions:
            fanOut.watchSessions(self)
            source.sendSummaries(nil)
            send(.runs(fanOut.runs))
        case .unknown: break
        }
    }

    private func readNext() {
        let sessions = state.takeAsked()
        if sessions.isEmpty { return }
        source.next(sessions) { [self] next in
            guard let next else {
                connection?.close(code: CloseCode.serverFailed.rawValue, reason: "the server can't read its archive")
                return
            }
            for line in state.found(next) { send(line) }
            for (session, next) in next { fanOut.began(session, at: next) }
            readNext()
        }
    }

    private func unlessBehind<Sent>(_ body: (inout ViewerState) -> Sent) -> Sent {
        let wasBehind = state.isBehind
        let sent = body(&state)
        if !wasBehind, state.isBehind { watchReading() }
        return sent
    }

    /// Closes the connection if the viewer reads nothing although much is queued.
    private func watchReading() {
        guard let read, !isTimed else { return }
        isTimed = true
        loop.later(after: timeout) { [weak self] in
            guard let self else { return }
            isTimed = false
            guard let connection, state.isBehind || connection.outstanding > ViewerState.bound else { return }
            if self.read ?? 0 > read { return watchReading() }
            connection.close(code: CloseCode.viewerSlow.rawValue, reason: "the viewer read nothing for too long")
        }
    }

    /// Bytes that the system has accepted for the viewer.
    private var read: Int? {
        connection.map { sent - $0.outstanding }
    }
}
