import Logging
import TapeArchive
import TapeFormat
import TapeSockets

/// Sends updates about new, changed and deleted sessions to viewers, at most four times a second per session.
final class SessionFeed: Sendable {
    private struct State {
        var changed: Set<String> = []
        /// True until the summaries are sent, so that no older one is sent after a newer one.
        var isSending = false
        var last: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(250)

    private let loop: EventLoop
    private let workers: Workers
    private let fanOut: FanOut
    private let tell: @Sendable (News) -> Void
    private let retry: Duration
    private let summary: @Sendable (_ session: String) throws -> JSON?
    private let logger: Logger
    private let state = Locked(State())

    /// - Parameters:
    ///   - retry: When summaries are read again that could not be read.
    ///   - tell: Tells other servers.
    ///   - summary: Returns a session's summary, nil if it was deleted. Runs off the loop's thread.
    init(
        loop: EventLoop, workers: Workers, fanOut: FanOut, retry: Duration, logger: Logger,
        tell: @escaping @Sendable (News) -> Void,
        summary: @escaping @Sendable (_ session: String) throws -> JSON?
    ) {
        self.loop = loop
        self.workers = workers
        self.fanOut = fanOut
        self.retry = retry
        self.logger = logger
        self.tell = tell
        self.summary = summary
    }

    /// Something about the sessions has changed, other than their lines.
    func changed(_ sessions: Set<String>) {
        tell(News(changed: sessions))
        show(sessions)
    }

    func deleted(_ sessions: Set<String>) {
        tell(News(deleted: sessions))
        show(sessions, areDeleted: true)
    }

    /// Sends the sessions to this server's viewers.
    func show(_ sessions: Set<String>, areDeleted: Bool = false) {
        let sessions = fanOut.watched(sessions, areDeleted: areDeleted)
        guard !sessions.isEmpty else { return }
        schedule { $0.changed.formUnion(sessions) }
    }

    private func schedule(_ change: (inout State) -> Void) {
        let delay = state.withLock { state -> Duration? in
            change(&state)
            if state.isSending || state.changed.isEmpty { return nil }
            state.isSending = true
            return max(.zero, Self.interval - (state.last.map { ContinuousClock.now - $0 } ?? Self.interval))
        }
        if let delay { loop.schedule(after: delay) { self.send() } }
    }

    private func send() {
        let sessions = state.withLock { state in
            state.last = .now
            defer { state.changed = [] }
            return state.changed
        }
        workers.run { [self] in
            var summaries: [(String, JSON?)] = []
            var unread: Set<String> = []
            for session in sessions {
                do {
                    summaries.append((session, try summary(session)))
                } catch {
                    if unread.isEmpty { logger.error("Session \(session) can't be read: \(error)") }
                    unread.insert(session)
                }
            }
            if !unread.isEmpty { loop.schedule(after: retry) { [unread] in self.show(unread) } }
            loop.execute { [self, summaries] in
                for (session, summary) in summaries { fanOut.publish(summary: summary, of: session) }
            }
            schedule { $0.isSending = false }
        }
    }
}
