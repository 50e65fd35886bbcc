package import Foundation
package import Logging
package import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The server: apps record into it, and pages show the recordings. It runs from `init` until `stop()`.
package final class Server: Sendable {
    /// The port that the server listens on.
    package let port: Int
    /// The URL of the page. Its fragment holds the token, if this start made one.
    package let pageURL: URL
    /// The URL for an app that the server's own command starts: it names the archive, so that what the app records for
    /// it goes nowhere else, even if the app never reaches it.
    package let appURL: String

    private let folder: DataFolder
    private let loop: EventLoop
    private let watchdog: Watchdog
    private let components: Components
    private let listener: Listener
    private let logger: Logger
    private let isStopped = Locked(false)

    /// Opens the archive and starts accepting connections.
    package init(_ configuration: Configuration, logger: Logger) throws(ServerError) {
        self.logger = logger
        FreedMemory.keepLargePiecesApart()
        let connections = try Descriptors.connections()
        // Nothing fails once the loop runs, but the listener.
        var page = try Self.page(configuration)
        let newFolders = NewFolders(configuration.data)
        folder = try DataFolder(configuration.data)
        let (marker, archive, sharing): (WorkMarker, any Archive, Sharing)
        let (tokens, newToken): ([Configuration.Token], String?)
        do throws(ServerError) {
            let address = configuration.database.map(ArchiveAddress.database) ?? .folder(configuration.data)
            archive = try address.open(sync: configuration.sync, logger: logger)
            // Not before: a start that is refused forgets nothing.
            marker = try WorkMarker(folder.working.path)
            sharing = try Sharing(archive, folder, timing: configuration.timing.peers, logger: logger)
            (tokens, newToken) = try Self.tokens(configuration, sharing, logger)
            do throws(SocketsError) {
                loop = try EventLoop(configuration.eventLibrary)
            } catch {
                throw ServerError(error)
            }
        } catch {
            newFolders.remove()
            throw error
        }
        #if os(Linux)
            if loop.library == .poll {
                logger.warning(
                    "libwebsockets-evlib-uv is missing, so idle apps cost CPU time. Install it, then restart."
                )
            }
        #endif
        watchdog = Watchdog(of: loop, limit: configuration.timing.turn)
        components = Components(
            configuration, archive, sharing, loop, tokens: tokens, marker: marker,
            pending: PendingAnswers(in: configuration.data), logger: logger)
        do throws(SocketsError) {
            var options = Listener.Options()
            options.tlsCertificate = configuration.tlsCertificate?.path
            options.tlsKey = configuration.tlsKey?.path
            options.maxMessage = configuration.limits.line
            options.spool = configuration.data
            options.maxBody = max(options.maxBody, configuration.limits.line)
            options.pingAfter = configuration.timing.ping
            options.dropAfter = configuration.timing.drop
            options.bodyWindow = configuration.timing.body
            options.minBodyRate = configuration.limits.bodyRate
            options.maxPerAddress = configuration.limits.connectionsPerAddress
            options.maxLocal = configuration.limits.localConnections
            options.maxConnections = connections
            listener = try Listener(
                on: loop, host: configuration.host, port: configuration.port,
                subprotocols: [RequestGate.appProtocol, RequestGate.viewerProtocol], options: options,
                service: components.gate)
        } catch {
            loop.stop()
            watchdog.stop()
            // Nobody has seen the new token. Delete it, so that the next successful start makes one and prints it.
            if newToken != nil { sharing.forgetToken(.control) }
            sharing.broker.stop()
            newFolders.remove()
            throw ServerError(error)
        }
        port = listener.port
        page.port = listener.port
        page.fragment = newToken.map { "token=\($0)" }
        guard let pageURL = page.url else { preconditionFailure("The host was checked above.") }
        self.pageURL = pageURL
        appURL =
            pageURL.absoluteString + (pageURL.fragment == nil ? "#" : "&") + "archive=\(components.archive.id)"
        components.broker.begin(components.receiver)
        let (broker, pruning, uploads) = (components.broker, components.pruning, components.uploads)
        Self.repeat(every: .seconds(3_600), on: loop) { if broker.isLeader { uploads.sweep() } }
        Self.repeat(every: configuration.timing.retention, on: loop) {
            if broker.isLeader { pruning.run(configuration.retention) }
        }
        tellLost(components.archive, refill: configuration.timing.refill)
        Self.watch(components.archive, broker, components.committer, every: configuration.timing.place, loop)
    }

    /// Stops accepting, commits what has arrived, closes every connection with 1001, and returns. Idempotent.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        listener.stopAccepting()
        // On the loop's thread, so that everything read before is queued for a commit.
        let paused = DispatchSemaphore(value: 0)
        loop.execute { [components] in
            components.apps.pause(true)
            paused.signal()
        }
        paused.wait()
        components.committer.stop()
        loop.stop()
        components.broker.stop()
        watchdog.stop()
        components.workers.stop()
        components.requestWork.stop()
        components.startWorkers.stop()
        components.figures.stop()
        components.searches.stop()
        components.sealer.stop()
        components.replays.stop()
        if let reason = components.archive.misplacement {
            logger.critical("Events recorded since then are lost: \(reason).")
        }
        do {
            try components.archive.close()
        } catch {
            logger.error("The archive can't be closed: \(error)")
        }
        folder.unlock()
    }

    /// How the event loop waits for events.
    var eventLibrary: EventLibrary { loop.library }

    /// The API's routes.
    var routes: Routes { components.gate.routes }

    /// Runs `body` now and at intervals.
    private static func `repeat`(every period: Duration, on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
        body()
        loop.schedule(after: period) { `repeat`(every: period, on: loop, body) }
    }

    /// Says which acknowledged events are missing, and puts gaps in their place once apps had time to send them again.
    private func tellLost(_ archive: any Archive, refill: Duration) {
        guard !archive.lost.isEmpty else { return }
        for lost in archive.lost {
            logger.error(
                "The archive's log was damaged: \(lost). Its app sends again what it still has; a gap replaces the rest."
            )
        }
        let (committer, apps, feed, logger) = (components.committer, components.apps, components.feed, logger)
        loop.schedule(after: refill) {
            // Between two commits.
            committer.run {
                do {
                    let filled = try archive.fillLost { apps.isConnected($0) }
                    feed.changed(Set(filled.map(\.session)))
                } catch {
                    logger.error("Lost events can't be replaced by gaps: \(Damage.reason(error))")
                }
            }
        }
    }

    /// Checks at intervals that the archive's file is still in place, or its database can be reached, so that an idle
    /// server notices too.
    private static func watch(
        _ archive: any Archive, _ broker: any Broker, _ committer: Committer, every period: Duration,
        _ loop: EventLoop
    ) {
        let isAway = archive.misplacement != nil || !broker.isReachable
        if isAway, committer.failure == nil { _ = committer.add(.probe, Prober()) }
        loop.schedule(after: period) { watch(archive, broker, committer, every: period, loop) }
    }

    /// A client that only exists to make a write failure visible.
    private final class Prober: Committer.Client {
        func committed(_ change: Change, _ outcome: Outcome) {}
        func failed(_ change: Change, _ error: any Error) {}
    }

    /// The valid tokens. If a token is needed, at least one of them gives control.
    private static func tokens(
        _ configuration: Configuration, _ sharing: Sharing, _ logger: Logger
    ) throws(ServerError) -> (all: [Configuration.Token], new: String?) {
        var tokens = configuration.tokens
        if tokens.isEmpty, LocalAddresses.isLoopback(configuration.host) { return ([], nil) }
        // Random, not derived: whoever has a view-only link learns nothing about the token for control.
        if !tokens.contains(where: { $0.role == .view }) {
            tokens.append(.init(.view, try sharing.token(.view).value))
        }
        guard !tokens.contains(where: { $0.role == .control }) else { return (tokens, nil) }
        let token = try sharing.token(.control)
        if !token.isNew { logger.info("The token is in \(token.place)") }
        return (tokens + [.init(.control, token.value)], token.isNew ? token.value : nil)
    }

    /// The page's address, without port and token.
    private static func page(_ configuration: Configuration) throws(ServerError) -> URLComponents {
        let host = LocalAddresses.isEvery(configuration.host) ? "127.0.0.1" : configuration.host
        var page = URLComponents()
        page.scheme = configuration.tlsCertificate == nil ? "http" : "https"
        page.host = LocalAddresses.authority(host)
        page.path = "/"
        guard page.url != nil else { throw ServerError(.address, "“\(host)” is not a valid address.") }
        return page
    }
}

/// All components behind the listener, in the order of the data flow.
private struct Components {
    let archive: any Archive
    let broker: any Broker
    let receiver: BrokerReceiver
    let workers = Workers()
    let requestWork: RequestWork
    /// Separate workers, so that an app that starts doesn't wait for requests of pages.
    let startWorkers = Workers()
    let searches: Searches
    let figures: Figures
    let apps: Apps
    let committer: Committer
    let sealer: Sealer
    let replays: Replays
    let feed: SessionFeed
    let pruning: Pruning
    let uploads: Uploads
    let gate: RequestGate

    init(
        _ configuration: Configuration, _ archive: any Archive, _ sharing: Sharing, _ loop: EventLoop,
        tokens: [Configuration.Token], marker: WorkMarker, pending: PendingAnswers, logger: Logger
    ) {
        let limits = configuration.limits
        let broker = sharing.broker
        let tell: @Sendable (News) -> Void = { broker.tell($0) }
        let apps = Apps(limit: limits.apps, pending: limits.pendingApps, remote: broker.apps)
        let workers = workers
        self.apps = apps
        let searches = Searches(scan: configuration.timing.scan)
        let figures = Figures(searches)
        let timing = configuration.timing
        let tapes = Tapes(archive) { session, broken in
            logger.warning("Session \(session.id), seq \(broken.seq): the patch doesn't apply: \(broken.reason)")
            if let link = apps.link(of: session.id) {
                link.send(.want(store: broken.store))
            } else {
                tell(News(wanted: [session.id: [broken.store]]))
            }
        }
        let reading = LineReading(archive: archive, tapes: tapes, logger: logger)
        let fanOut = FanOut { places, then in
            workers.run {
                let found = reading.lines(at: places)
                if found.values.allSatisfy({ $0 != nil }) { return loop.execute { then(found) } }
                // The database may be away for a while.
                loop.schedule(after: timing.retry) { then(found) }
            }
        }
        let committer = Committer(
            archive, pace: archive.pace, retry: timing.retry,
            clock: { Int(Date().timeIntervalSince1970 * 1000) }, deliver: { loop.execute($0) },
            resumeReading: { apps.pause(false) },
            failureChanged: { reason in
                if reason != nil { apps.pause(true) }
                fanOut.publish(failure: reason)
            },
            later: { loop.schedule(after: $0, $1) }, logger: logger)
        let states = States(maxState: configuration.limits.state)
        let sealer = Sealer(
            archive, tapes, states, committer, retry: timing.retry * 10, marker: marker, logger: logger
        ) { apps.isLive($0) }

        let refusals = RefusedConnections()
        let wrongTokens = WrongTokens()
        let feed = SessionFeed(
            loop: loop, workers: workers, fanOut: fanOut, retry: timing.retry, logger: logger, tell: tell
        ) { id in
            try archive.session(id)?.summary(live: apps.status(of: id))
        }
        let pushes = Pushes(loop: loop, timeout: timing.push)
        let runs = Runs(sharing.runs, loop: loop, logger: logger, tell: tell) { fanOut.publish(runs: $0) }
        let starts = LaunchStates(
            archive: archive, tapes: tapes, states: states, runs: runs, logger: logger,
            changed: { feed.changed([$0]) }, once: sharing.launches)
        let replays = Replays(archive, tapes, states, limit: timing.replay, logger: logger) { feed.changed([$0]) }
        /// Lines of a visible session are committed.
        let committed: @Sendable (String, Batch) -> Void = { session, batch in
            fanOut.publish(session, batch.lines)
            tell(News(committed: [session]))
            feed.show([session])
            sealer.advanced(session)
        }
        let ingest = Ingest(
            apps: apps, committer: committer, loop: loop, workers: startWorkers, timing: timing,
            wrongTokens: wrongTokens, maxMessage: configuration.limits.line, archive: archive.id,
            isPrivate: configuration.isPrivate,
            hooks: Ingest.Hooks(
                committed: { session, batch, link in
                    tapes.reader.keep(batch)
                    committed(session, batch)
                    pushes.committed(link)
                    replays.committed(session, batch.lines, link)
                },
                changed: { feed.changed([$0]) },
                start: { starts.begin($0) },
                started: { result, session in workers.run { starts.ended(result, session) } },
                answered: { answer, session in workers.run { starts.answered(answer, by: session.id) } },
                replay: { replays.begin($0, into: $1, $2) },
                pushed: { answer, link in
                    pushes.answered(answer, link)
                    replays.answered(answer, link)
                },
                disconnected: { link in
                    pushes.disconnected(link)
                    replays.disconnected(link)
                    guard let session = link.session else { return }
                    sealer.advanced(session)
                    let hasRecorded = link.committed > 0
                    // If the app has reconnected, its run continues.
                    if apps.link(of: session) == nil {
                        workers.run { starts.disconnected(session, hasRecorded: hasRecorded) }
                    }
                },
                refused: { peer, error in
                    refusals.add(peer: peer, path: "/v1/app", code: error.code, detail: error.message)
                }))
        let uploads = Uploads(
            archive, tapes, states, apps: apps, committer: committer, loop: loop,
            limits: configuration.limits, logger: logger,
            hooks: Uploads.Hooks(
                committed: committed,
                shown: { session in
                    feed.changed([session])
                    sealer.advanced(session)
                }))
        let viewing = Viewer.Hooks(
            next: { sessions, then in
                workers.run {
                    let next = Result { try archive.next(of: sessions) }
                    if case .failure(let error) = next { logger.error("Watched sessions can't be read: \(error)") }
                    loop.execute { then(try? next.get()) }
                }
            },
            sendSummaries: { feed.show($0 ?? apps.live) },
            runs: { runs.shown })

        let access = Access(
            hosts: configuration.allowedHosts + LocalAddresses.names(of: configuration.host), tokens: tokens)
        requestWork = RequestWork(access: access)
        pruning = Pruning(
            archive: archive, committer: committer, apps: apps, feed: feed, workers: workers, logger: logger)
        let api = API(
            archive: archive, broker: broker, tapes: tapes, states: states,
            shown: States(maxState: states.maxState, maxCost: 32 << 20, largeState: LargeState.shown),
            figures: figures,
            apps: apps, committer: committer, pushes: pushes, replays: replays, runs: runs, access: access,
            refusals: refusals,
            wrongTokens: wrongTokens,
            connect: Connect(host: configuration.host, allowedHosts: configuration.allowedHosts),
            metrics: Metrics(
                archive: archive, broker: broker, apps: apps, fanOut: fanOut, committer: committer,
                refusals: refusals,
                wrongTokens: wrongTokens),
            feed: feed, pruning: pruning, uploads: uploads, loop: loop, requestWork: requestWork,
            pending: pending, searches: searches, isSecure: configuration.tlsCertificate != nil,
            page: configuration.page, logger: logger)
        let passedRoutes = api.passedRoutes()
        gate = RequestGate(
            access: access, limits: limits, refusals: refusals, wrongTokens: wrongTokens, routes: api.routes(),
            page: configuration.page.files(headers: RequestGate.pageHeaders), loop: loop,
            work: requestWork, pending: pending, apps: apps,
            fanOut: fanOut, canWrite: { committer.failure == nil },
            appLink: { request in
                let bearer = Access.bearer(request.headers["authorization"])
                return AppLink(ingest, peer: request.peer) { access.refusal(ofApp: $0 ?? bearer) }
            },
            viewer: { Viewer(fanOut, viewing, of: $0, loop: loop, timeout: timing.viewer) })
        receiver = BrokerReceiver(
            apps: { apps.held($0) },
            committed: { sessions in loop.execute { fanOut.committed(sessions) } },
            changed: { feed.show($0) },
            runsChanged: { runs.show() },
            wanted: { apps.link(of: $0)?.send(.want(store: $1)) },
            deleted: { sessions in
                feed.show(sessions, areDeleted: true)
                loop.execute { for session in sessions { apps.deleted(session) } }
            },
            moved: { app in loop.execute { apps.moved(app) } },
            request: { request, answer in
                let exchange = request.exchange(answer: answer)
                // A path without a route, perhaps from a server of another version.
                if !passedRoutes.handle(exchange) {
                    exchange.respond(Problem(404, "not-found", "Nothing exists at this URL.").response)
                }
            },
            missed: {
                runs.show()
                loop.execute { fanOut.missed() }
            },
            maintain: {
                workers.run {
                    replays.endLost()
                    sealer.sealLeft()
                    uploads.sweep()
                }
            })
        self.archive = archive
        self.feed = feed
        self.broker = broker
        self.searches = searches
        self.figures = figures
        self.committer = committer
        self.sealer = sealer
        self.replays = replays
        self.uploads = uploads
    }
}
