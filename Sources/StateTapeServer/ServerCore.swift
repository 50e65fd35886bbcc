import Foundation
import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// Everything behind the listener, in the order of the data flow: the apps' connections, the commits, the pages'
/// connections, the services, the routes. A service that has to know what happens stands in the list at the end of `init`.
final class ServerCore: Sendable {
    let loop: EventLoop
    let gate: RequestGate
    let spoolFailures: SpoolFailures
    private let configuration: Configuration
    private let archive: any Archive
    private let shared: SharedServices
    private let watchdog: Watchdog
    private let events = CoreEvents()
    private let workers = Workers()
    /// Separate workers, so that an app that starts doesn't wait for requests of pages.
    private let startWorkers = Workers()
    private let requestWork: RequestWork
    private let searches: Searches
    private let figures: Figures
    private let apps: Apps
    private let committer: Committer
    private let sealer: Sealer
    private let replays: Replays
    private let pruning: Pruning
    private let uploads: Uploads
    private let logger: Logger

    init(
        _ configuration: Configuration, _ archive: any Archive, _ shared: SharedServices, _ loop: EventLoop,
        tokens: [Configuration.Token], marker: CrashMarker, logger: Logger
    ) {
        (self.configuration, self.archive, self.shared, self.loop) = (configuration, archive, shared, loop)
        self.logger = logger
        let (limits, timing) = (configuration.limits, configuration.timing)
        let (events, workers, broker) = (events, workers, shared.broker)
        watchdog = Watchdog(of: loop, limit: timing.turn)

        // Apps and commits.
        let apps = Apps(limit: limits.apps, pending: limits.pendingApps, remote: broker.apps)
        let committer = Committer(
            archive, pace: archive.pace, retry: timing.retry, on: CommitHost(loop: loop, events: events), logger: logger
        )
        let tapes = Tapes(archive) { session, broken in
            logger.warning("Session \(session.id), seq \(broken.seq): the patch doesn't apply: \(broken.reason)")
            events.tell(.wanted(session: session.id, store: broken.store))
        }
        let states = States(maxState: limits.state)

        // Pages.
        let fanOut = FanOut(
            LineReading(
                archive: archive, tapes: tapes, workers: workers, loop: loop, retry: timing.retry, logger: logger))
        let feed = SessionFeed(
            ArchiveSummaries(archive: archive, apps: apps), loop: loop, workers: workers, fanOut: fanOut,
            retry: timing.retry, logger: logger)

        // Services.
        let pushes = Pushes(loop: loop, timeout: timing.push)
        let runs = Runs(shared.runs, loop: loop, fanOut: fanOut, events: events, logger: logger)
        let launches = LaunchStates(
            archive: archive, tapes: tapes, states: states, runs: runs, apps: apps, once: shared.launches,
            workers: workers, events: events, logger: logger)
        let replays = Replays(archive, tapes, states, limit: timing.replay, events: events, logger: logger)
        let sealer = Sealer(
            archive, tapes, states, committer, apps: apps, retry: timing.retry * 10, marker: marker, logger: logger)
        let uploads = Uploads(
            archive, tapes, states, apps: apps, committer: committer, loop: loop, limits: limits, events: events,
            logger: logger)
        pruning = Pruning(
            archive: archive, committer: committer, apps: apps, events: events, workers: workers, logger: logger)

        // Requests.
        let access = Access(
            hosts: configuration.allowedHosts + LocalAddresses.names(of: configuration.host), tokens: tokens)
        let (refusals, wrongTokens) = (RefusedConnections(), WrongTokens())
        spoolFailures = SpoolFailures(refusals, in: configuration.data, logger: logger)
        let pending = PendingAnswers(in: configuration.data)
        requestWork = RequestWork(access: access)
        searches = Searches(scan: timing.scan)
        figures = Figures(searches)
        let ingest = Ingest(
            apps: apps, committer: committer, loop: loop, workers: startWorkers, timing: timing,
            wrongTokens: wrongTokens, maxMessage: limits.line, archive: archive.id,
            isPrivate: configuration.isPrivate, launches: launches, events: events)
        let api = API(
            archive: archive, broker: broker, tapes: tapes, states: states,
            shown: States(maxState: states.maxState, maxCost: 32 << 20, largeState: LargeState.shown),
            figures: figures, apps: apps, committer: committer, pushes: pushes, replays: replays, runs: runs,
            access: access, refusals: refusals, wrongTokens: wrongTokens,
            connect: ServerAddresses(host: configuration.host, allowedHosts: configuration.allowedHosts),
            metrics: Metrics(
                archive: archive, broker: broker, apps: apps, fanOut: fanOut, committer: committer,
                refusals: refusals, wrongTokens: wrongTokens),
            events: events, pruning: pruning, uploads: uploads, loop: loop, requestWork: requestWork,
            pending: pending, searches: searches, isSecure: configuration.tlsCertificate != nil,
            page: configuration.page, logger: logger)
        gate = RequestGate(
            access: access, limits: limits, refusals: refusals, wrongTokens: wrongTokens, routes: api.routes(),
            page: configuration.page.files(headers: RequestGate.pageHeaders), loop: loop, work: requestWork,
            pending: pending, apps: apps, fanOut: fanOut, ingest: ingest,
            viewing: ArchiveViewerSource(
                archive: archive, feed: feed, apps: apps, workers: workers, loop: loop, logger: logger),
            viewerTimeout: timing.viewer)
        // Who is told of each event, in this order.
        events.begin([
            RecentTapes(tapes: tapes), apps, fanOut, PeerNews(broker: broker, apps: apps), feed, sealer, pushes,
            replays,
            launches, runs, uploads, RefusedApps(refusals: refusals), PassedRequests(routes: api.passedRoutes()),
        ])
        (self.apps, self.committer, self.sealer) = (apps, committer, sealer)
        (self.replays, self.uploads) = (replays, uploads)
    }

    /// Begins to hear from other servers, and what is done at intervals.
    func start() {
        shared.broker.begin(PeerReceiver(apps: apps, workers: workers, loop: loop, events: events))
        repeating(every: .seconds(3_600)) { core in
            if core.shared.broker.isLeader { core.uploads.sweep() }
        }
        repeating(every: configuration.timing.retention) { core in
            if core.shared.broker.isLeader { core.pruning.run(core.configuration.retention) }
        }
        repeating(every: configuration.timing.place) { $0.checkPlace() }
        LostEventFilling(
            archive: archive, committer: committer, apps: apps, events: events, logger: logger
        ).begin(on: loop, after: configuration.timing.refill)
    }

    /// Stops a server that has accepted nothing yet.
    func abandon() {
        loop.stop()
        watchdog.stop()
        shared.broker.stop()
        events.end()
    }

    /// Commits what has arrived, closes every connection with 1001, and returns once nothing runs.
    func stop() {
        // On the loop's thread, so that everything read before is queued for a commit.
        let paused = DispatchSemaphore(value: 0)
        loop.execute { [apps] in
            apps.pause(true)
            paused.signal()
        }
        paused.wait()
        committer.stop()
        loop.stop()
        shared.broker.stop()
        watchdog.stop()
        workers.stop()
        requestWork.stop()
        startWorkers.stop()
        figures.stop()
        searches.stop()
        sealer.stop()
        replays.stop()
        events.end()
        if let reason = archive.misplacement {
            logger.critical("Events recorded since then are lost: \(reason).")
        }
        do {
            try archive.close()
        } catch {
            logger.error("The archive can't be closed: \(error)")
        }
    }

    /// Runs `body` now and at intervals, while the server runs.
    private func repeating(every period: Duration, _ body: @escaping @Sendable (ServerCore) -> Void) {
        body(self)
        loop.schedule(after: period) { [weak self] in self?.repeating(every: period, body) }
    }

    /// Checks that the archive's file is still in place, or its database can be reached, so that an idle server notices too.
    private func checkPlace() {
        let isAway = archive.misplacement != nil || !shared.broker.isReachable
        if isAway, committer.failure == nil { _ = committer.add(.probe, Prober()) }
    }

    /// A client that only exists to make a write failure visible.
    private final class Prober: Committer.Client {
        func committed(_ change: Change, _ outcome: Outcome) {}
        func failed(_ change: Change, _ error: any Error) {}
    }
}
