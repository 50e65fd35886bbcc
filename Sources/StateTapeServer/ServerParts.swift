import Foundation
import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// Everything behind the listener: the core, and the routes on top of it.
final class ServerParts: Sendable {
    let core: ServerCore
    let gate: RequestGate
    let spoolFailures: SpoolFailures
    private let configuration: Configuration
    private let archive: any Archive
    private let shared: SharedServices
    private let watchdog: Watchdog
    private let workers = Workers()
    private let starting = Workers()
    private let requestWork: RequestWork
    private let searches: Searches
    private let statistics: SessionStatistics
    private let receiver: PeerReceiver
    private let damage: DamageWatch
    private let logger: Logger

    init(
        _ configuration: Configuration, _ archive: any Archive, _ shared: SharedServices, _ loop: EventLoop,
        tokens: [Configuration.Token], marker: CrashMarker, logger: Logger
    ) {
        (self.configuration, self.archive, self.shared, self.logger) = (configuration, archive, shared, logger)
        let (limits, timing) = (configuration.limits, configuration.timing)
        damage = DamageWatch(archive, in: configuration.data, logger: logger)
        watchdog = Watchdog(of: loop, limit: timing.turn)
        let (refusals, wrongTokens) = (RefusedConnections(), WrongTokens())
        core = ServerCore(
            configuration, archive, shared, loop, workers: workers, starting: starting, marker: marker,
            refusals: refusals, wrongTokens: wrongTokens, logger: logger)
        let access = Access(
            hosts: configuration.allowedHosts + LocalAddresses.names(of: configuration.host), tokens: tokens)
        spoolFailures = SpoolFailures(refusals, in: configuration.data, logger: logger)
        let pending = PendingAnswers(in: configuration.data)
        requestWork = RequestWork(access: access)
        searches = Searches(scan: timing.scan)
        statistics = SessionStatistics(searches)
        let api = API(
            archive: archive, broker: shared.broker, core: core, tapes: core.tapes, states: core.states,
            shown: States(maxState: limits.state, maxCost: 32 << 20, largeState: LargeState.shown),
            statistics: statistics, apps: core.live, access: access, refusals: refusals, wrongTokens: wrongTokens,
            connect: ServerAddresses(host: configuration.host, allowedHosts: configuration.allowedHosts),
            metrics: Metrics(
                archive: archive, broker: shared.broker, core: core, refusals: refusals, wrongTokens: wrongTokens),
            events: core.events, requestWork: requestWork, pending: pending, searches: searches, pushTime: timing.push,
            isSecure: configuration.tlsCertificate != nil, page: configuration.page, logger: logger)
        receiver = PeerReceiver(apps: core.live, events: core.events, routes: api.passedRoutes())
        gate = RequestGate(
            access: access, limits: limits, refusals: refusals, wrongTokens: wrongTokens, routes: api.routes(),
            page: configuration.page.files(headers: RequestGate.pageHeaders), core: core, work: requestWork,
            pending: pending)
    }

    /// Begins to hear from other servers, and what is done at intervals.
    func start() {
        core.begin()
        shared.broker.begin(receiver)
        // The first time by `.maintain`, as soon as this server does it for all.
        repeating(every: .seconds(3_600), atOnce: false) { parts in
            if parts.shared.broker.isLeader { parts.core.uploads.sweep() }
        }
        repeating(every: configuration.timing.retention) { parts in
            if parts.shared.broker.isLeader { parts.core.pruning.run(parts.configuration.retention) }
        }
        repeating(every: configuration.timing.place) { $0.checkPlace() }
        LostEventFilling(
            archive: archive, committer: core.committer, apps: core.live, events: core.events, logger: logger
        ).begin(on: core.loop, after: configuration.timing.refill)
        damage.begin()
    }

    /// Stops a server that has accepted nothing yet.
    func abandon() {
        core.stop()
        watchdog.stop()
        shared.broker.stop()
    }

    /// Commits what has arrived, closes every connection with 1001, and returns once nothing runs.
    func stop() {
        // On the loop's thread, so that everything read before is queued for a commit.
        core.wait { $0.apps.pause(true) }
        core.committer.stop()
        core.stop()
        shared.broker.stop()
        watchdog.stop()
        damage.stop()
        workers.stop()
        requestWork.stop()
        starting.stop()
        statistics.stop()
        searches.stop()
        core.sealer.stop()
        core.replays.stop()
        if let reason = archive.misplacement {
            logger.critical("Events recorded since then are lost: \(reason).")
        }
        do {
            try archive.close()
        } catch {
            logger.error("The archive can't be closed: \(error)")
        }
    }

    /// Runs `body` at intervals, while the server runs; the first time now, or after the first interval.
    private func repeating(
        every period: Duration, atOnce: Bool = true, _ body: @escaping @Sendable (ServerParts) -> Void
    ) {
        if atOnce { body(self) }
        core.loop.schedule(after: period) { [weak self] in self?.repeating(every: period, body) }
    }

    /// Checks that the archive's file is still in place, or its database can be reached, so that an idle server notices too.
    private func checkPlace() {
        let isAway = archive.misplacement != nil || !shared.broker.isReachable
        if isAway, core.committer.failure == nil { _ = core.committer.add(.probe, Prober()) }
    }

    /// A client that only exists to make a write failure visible.
    private final class Prober: Committer.Client {
        func committed(_ change: Change, _ outcome: Outcome) {}
        func failed(_ change: Change, _ error: any Error) {}
    }
}
