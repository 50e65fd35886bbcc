import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The way of each event: the connections of apps, the commits, the connections of pages, and the services, which get it.
///
/// An actor on the event loop. Its isolated parts are plain classes that aren't sendable, so that the compiler keeps them on
/// the loop's thread, and they need no locks. Other threads call its nonisolated parts, which are sendable, tell by an
/// ``EventPost``, and reach the rest in one hop, by ``post(_:)``.
actor ServerCore {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let live: LiveApps
    nonisolated let events: EventPost
    nonisolated let committer: Committer
    nonisolated let tapes: Tapes
    nonisolated let states: States
    nonisolated let replays: Replays
    nonisolated let runs: Runs
    nonisolated let sealer: Sealer
    nonisolated let uploads: Uploads
    nonisolated let pruning: Pruning

    let apps: Apps
    let fanOut: FanOut
    let pushes: Pushes
    private let services: [any CoreService]
    private let ingest: Ingest
    private let viewing: any ViewerSource
    private let viewerTimeout: Duration

    /// - Parameter starting: Separate workers, so that an app that starts doesn't wait for requests of pages.
    init(
        _ configuration: Configuration, _ archive: any Archive, _ shared: SharedServices, _ loop: EventLoop,
        workers: Workers, starting: Workers, marker: CrashMarker, refusals: RefusedConnections,
        wrongTokens: WrongTokens, logger: Logger
    ) {
        let (limits, timing) = (configuration.limits, configuration.timing)
        let coreEvents = CoreEvents()
        let events = EventPost(coreEvents, on: loop)

        // Apps and commits.
        let live = LiveApps(remote: shared.broker.apps)
        let apps = Apps(live, limit: limits.apps, pending: limits.pendingApps)
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
            ArchiveSummaries(archive: archive, apps: live), loop: loop, workers: workers, fanOut: fanOut,
            retry: timing.retry, logger: logger)

        // Services.
        let pushes = Pushes(on: loop)
        let runs = Runs(shared.runs, loop: loop, events: events, logger: logger)
        let launches = LaunchStates(
            archive: archive, tapes: tapes, states: states, runs: runs, apps: live, once: shared.launches,
            workers: workers, events: events, logger: logger)
        let replays = Replays(
            archive, tapes, states, apps: live, limit: timing.replay, events: events, logger: logger)
        let sealer = Sealer(
            archive, tapes, states, committer, apps: live, retry: timing.retry * 10, marker: marker, logger: logger)
        let uploads = Uploads(
            archive, tapes, states, apps: live, committer: committer, loop: loop, limits: limits, events: events,
            logger: logger)
        // They get each event in this order.
        services = [
            RecentTapes(tapes: tapes), apps, fanOut, PeerNews(broker: shared.broker, apps: live), feed, sealer, pushes,
            replays, launches, runs, uploads, RefusedApps(refusals: refusals),
        ]

        ingest = Ingest(
            apps: apps, committer: committer, loop: loop, workers: starting, timing: timing, wrongTokens: wrongTokens,
            maxMessage: limits.line, archive: archive.id, isPrivate: configuration.isPrivate, launches: launches,
            events: coreEvents)
        viewing = ArchiveViewerSource(
            archive: archive, feed: feed, apps: live, workers: workers, loop: loop, logger: logger)
        viewerTimeout = timing.viewer
        pruning = Pruning(
            archive: archive, committer: committer, apps: live, events: events, workers: workers, logger: logger)
        (self.loop, self.live, self.events, self.committer) = (loop, live, events, committer)
        (self.tapes, self.states, self.replays, self.runs) = (tapes, states, replays, runs)
        (self.sealer, self.uploads) = (sealer, uploads)
        (self.apps, self.fanOut, self.pushes) = (apps, fanOut, pushes)
    }

    /// Begins to tell the services what happens, on the loop's thread: others may post events already.
    nonisolated func begin() { post { $0.events.here.begin($0.services) } }

    /// Does something on the loop's thread, after what was posted before. Ignored once the server has stopped.
    nonisolated func post(_ body: @escaping @Sendable (isolated ServerCore) -> Void) {
        loop.execute { self.assumeIsolated { body($0) } }
    }

    /// Does something on the loop's thread, and waits for the result; nil once the server has stopped.
    @discardableResult
    nonisolated func wait<Value: Sendable>(for body: @escaping @Sendable (isolated ServerCore) -> Value) -> Value? {
        loop.wait { self.assumeIsolated { body($0) } }
    }

    /// Stops the loop, which closes all connections.
    nonisolated func stop() {
        // The services refer to each other.
        loop.stop { [events] in events.here.end() }
    }

    /// A new app's connection; nil if there are too many apps.
    func app(at peer: String, refusal: @escaping @Sendable (_ token: String?) -> LinkError?) -> LoopBound<AppLink>? {
        apps.isFull ? nil : LoopBound(AppLink(ingest, peer: peer, refusal: refusal))
    }

    /// A new page's connection; nil if there is no place for it.
    ///
    /// - Parameter limit: The most pages.
    func viewer(of client: Requester, limit: Int) -> LoopBound<Viewer>? {
        guard fanOut.makesRoom(for: client, limit: limit) else { return nil }
        return LoopBound(Viewer(fanOut, viewing, of: client, loop: loop, timeout: viewerTimeout))
    }
}
