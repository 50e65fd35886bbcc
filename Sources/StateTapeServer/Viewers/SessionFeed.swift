import Logging
import TapeArchive
import TapeFormat
import TapeSockets

/// Sends updates about new, changed and deleted sessions to viewers, at most four times a second per session. On the loop's
/// thread.
final class SessionFeed {
    private static let interval = Duration.milliseconds(250)

    private let loop: EventLoop
    private let workers: Workers
    private let fanOut: FanOut
    private let retry: Duration
    private let summaries: any Summaries
    private let logger: Logger
    private var changed: Set<String> = []
    /// True until the summaries are sent, so that no older one is sent after a newer one.
    private var isSending = false
    private var last: ContinuousClock.Instant?

    /// - Parameter retry: When summaries are read again that could not be read.
    init(
        _ summaries: any Summaries, loop: EventLoop, workers: Workers, fanOut: FanOut, retry: Duration, logger: Logger
    ) {
        (self.summaries, self.loop, self.workers, self.fanOut) = (summaries, loop, workers, fanOut)
        (self.retry, self.logger) = (retry, logger)
    }

    /// Sends the sessions to this server's viewers.
    func show(_ sessions: Set<String>, areDeleted: Bool = false) {
        changed.formUnion(fanOut.watched(sessions, areDeleted: areDeleted))
        sendLater()
    }

    private func sendLater() {
        guard !isSending, !changed.isEmpty else { return }
        isSending = true
        let delay = max(.zero, Self.interval - (last.map { ContinuousClock.now - $0 } ?? Self.interval))
        loop.later(after: delay) { self.send() }
    }

    private func send() {
        last = .now
        let back = loop.back { [self] (found: (read: [(String, JSON?)], unread: Set<String>)) in
            sent(found.read, unread: found.unread)
        }
        workers.run { [changed, summaries, logger] in
            var read: [(String, JSON?)] = []
            var unread: Set<String> = []
            for session in changed {
                do {
                    read.append((session, try summaries.summary(of: session)))
                } catch {
                    if unread.isEmpty { logger.error("Session \(session) can't be read: \(error)") }
                    unread.insert(session)
                }
            }
            back((read, unread))
        }
        changed = []
    }

    private func sent(_ summaries: [(String, JSON?)], unread: Set<String>) {
        for (session, summary) in summaries { fanOut.publish(summary: summary, of: session) }
        if !unread.isEmpty { loop.later(after: retry) { self.show(unread) } }
        isSending = false
        sendLater()
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
    let apps: LiveApps

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
