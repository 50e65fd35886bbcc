import TapeArchive
import TapeFormat
import TapeSockets

/// The connected apps, by session: this server's, and what is known of other servers'.
final class Apps: Sendable {
    private struct State {
        var links: [String: AppLink] = [:]
        /// Connections whose hello was accepted.
        var connected: Set<ObjectIdentifier> = []
        var pending: PendingLinks<ObjectIdentifier>
        var waiting: [ObjectIdentifier: AppLink] = [:]
        var claims = Claims()
        var isPaused = false
        /// The last replay that was begun in each running app.
        var loops: [String: Replay] = [:]
    }

    private static let maxLoops = 100

    private let state: Locked<State>
    private let limit: Int
    private let remote: RemoteApps

    /// - Parameters:
    ///   - limit: The most apps that may be connected.
    ///   - pending: The most connections that may wait before they send a hello.
    ///   - remote: The apps that are connected to other servers of the same archive.
    init(limit: Int, pending: Int, remote: RemoteApps = RemoteApps()) {
        self.limit = limit
        self.remote = remote
        state = Locked(State(pending: PendingLinks(limit: pending)))
    }

    /// Connections whose hello was accepted.
    var count: Int { state.withLock { $0.connected.count } }

    var isFull: Bool { count >= limit }

    /// Adds a connection that has not sent a hello.
    ///
    /// - Returns: A connection to close in exchange, if too many are waiting.
    func connected(_ link: AppLink, from peer: String) -> AppLink? {
        state.withLock { state in
            state.waiting[ObjectIdentifier(link)] = link
            return state.pending.enter(ObjectIdentifier(link), from: PeerAddress(peer)).flatMap {
                state.waiting.removeValue(forKey: $0)
            }
        }
    }

    /// Counts a connection as an app once its hello is accepted. Returns false if the limit is reached.
    func accept(_ link: AppLink) -> Bool {
        state.withLock { state in
            guard state.connected.count < limit else { return false }
            let id = ObjectIdentifier(link)
            state.pending.exit(id)
            state.waiting[id] = nil
            state.connected.insert(id)
            return true
        }
    }

    func disconnected(_ link: AppLink) {
        state.withLock { state in
            let id = ObjectIdentifier(link)
            state.connected.remove(id)
            guard state.waiting.removeValue(forKey: id) != nil else { return }
            state.pending.exit(id)
        }
    }

    /// The app of a live session that is connected to this server.
    func link(of session: String) -> AppLink? {
        state.withLock { $0.links[session] }.flatMap { $0.isLive ? $0 : nil }
    }

    /// Whether a connection sends into the session: from its app, or from a process that recovered a recording.
    func isConnected(_ session: String) -> Bool {
        state.withLock { $0.links[session] != nil } || remote.isConnected(session)
    }

    /// Whether the session's app is connected. A link that sends a recovered recording isn't live.
    func isLive(_ session: String) -> Bool { link(of: session) != nil || remote.status(of: session) != nil }

    /// The live sessions.
    var live: Set<String> { here.union(remote.live) }

    /// The live sessions whose app is connected to this server.
    var here: Set<String> { Set(state.withLock { $0.links }.filter { $0.value.isLive }.keys) }

    /// The state of a live session's app.
    func status(of session: String) -> LiveApp? { link(of: session)?.status ?? remote.status(of: session) }

    /// The connections of this server: of some sessions, or all.
    func held(_ sessions: Set<String>?) -> [HeldApp] {
        let links = state.withLock { state in
            sessions.map { $0.compactMap { state.links[$0] } } ?? Array(state.links.values)
        }
        return links.compactMap(\.held)
    }

    /// Closes a connection whose session another server owns by now.
    func moved(_ app: HeldApp) {
        guard let link = state.withLock({ $0.links[app.session] }), link.held?.owner == app.owner else { return }
        link.replaced()
    }

    func loop(of session: String) -> Replay? { state.withLock { $0.loops[session] } }

    func setLoop(_ loop: Replay?, of session: String) {
        state.withLock { state in
            state.loops[session] = loop
            guard state.loops.count > Self.maxLoops else { return }
            state.loops = state.loops.filter { $0.key == session || $0.value.status == .running }
        }
    }

    /// Whether all apps are paused because too much is queued for a commit. Their data then waits on the app's side.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    func pause(_ isPaused: Bool) {
        let links = state.withLock { state -> [AppLink] in
            guard state.isPaused != isPaused else { return [] }
            state.isPaused = isPaused
            return Array(state.links.values)
        }
        for link in links { link.updateReading() }
    }

    /// Whether the connection that sent this hello may open its session. A recovered recording always may: the
    /// process that made the earlier connections is dead.
    func claim(_ hello: Hello, owner: String) -> Bool {
        guard let attempt = hello.attempt, !hello.recovered else { return true }
        return state.withLock {
            $0.claims.claim(hello.header.session, key: hello.key, attempt: attempt, owner: owner)
        }
    }

    func release(_ hello: Hello, owner: String) {
        state.withLock { $0.claims.release(hello.header.session, key: hello.key, owner: owner) }
    }

    /// Assigns the session to this link and closes the link that had it before.
    func attach(_ session: String, _ link: AppLink) {
        state.withLock { $0.links.updateValue(link, forKey: session) }?.replaced()
    }

    func detach(_ session: String, _ link: AppLink) {
        state.withLock { state in
            if state.links[session] === link { state.links[session] = nil }
        }
    }

    /// Closes the connection of an app whose session is being deleted.
    func deleted(_ session: String) {
        setLoop(nil, of: session)
        state.withLock { $0.links[session] }?.deleted()
    }
}

extension Apps: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .unwritable(.some): pause(true)
        case .relieved: pause(false)
        case .wanted(let session, let store), .peer(.wanted(let session, let store)):
            link(of: session)?.send(.want(store: store))
        case .peer(.deleted(let sessions)): for session in sessions { deleted(session) }
        case .peer(.moved(let app)): moved(app)
        default: break
        }
    }
}
