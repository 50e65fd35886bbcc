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
    private let retry: Duration
    private let summaries: any Summaries
    private let logger: Logger
    private let state = Locked(State())

    /// - Parameter retry: When summaries are read again that could not be read.
    init(
        _ summaries: any Summaries, loop: EventLoop, workers: Workers, fanOut: FanOut, retry: Duration, logger: Logger
    ) {
        self.summaries = summaries
        self.loop = loop
        self.workers = workers
        self.fanOut = fanOut
        self.retry = retry
        self.logger = logger
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
                    summaries.append((session, try self.summaries.summary(of: session)))
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

/// The summaries of sessions.
protocol Summaries: Sendable {
    /// Nil if the session was deleted. Runs off the loop's thread.
    func summary(of session: String) throws -> JSON?
}

/// The summaries of the sessions in the archive, with the state of their apps.
struct ArchiveSummaries: Summaries {
    let archive: any SessionCatalogue
    let apps: Apps

    func summary(of session: String) throws -> JSON? {
        try archive.session(session)?.summary(live: apps.status(of: session))
    }
}

extension SessionFeed: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(let session, _, _), .shown(let session): show([session])
        case .changed(let sessions), .peer(.changed(let sessions)): show(sessions)
        case .deleted(let sessions), .peer(.deleted(let sessions)): show(sessions, areDeleted: true)
        default: break
        }
    }
}
