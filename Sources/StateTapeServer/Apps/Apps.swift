import TapeArchive
import TapeFormat
import TapeSockets

/// The connected apps of this server, by session. On the loop's thread.
final class Apps {
    /// What other threads know of them.
    let live: LiveApps
    private let limit: Int
    private var links: [String: AppLink] = [:]
    /// Connections whose hello was accepted.
    private var connected: Set<ObjectIdentifier> = []
    private var pending: PendingLinks<ObjectIdentifier>
    private var waiting: [ObjectIdentifier: AppLink] = [:]
    private var claims = Claims()
    /// Whether all apps are paused because too much is queued for a commit. Their data then waits on the app's side.
    private(set) var isPaused = false

    /// - Parameters:
    ///   - limit: The most apps that may be connected.
    ///   - pending: The most connections that may wait before they send a hello.
    init(_ live: LiveApps, limit: Int, pending: Int) {
        (self.live, self.limit) = (live, limit)
        self.pending = PendingLinks(limit: pending)
    }

    /// Connections whose hello was accepted.
    var count: Int { connected.count }

    var isFull: Bool { count >= limit }

    /// Adds a connection that has not sent a hello.
    ///
    /// - Returns: A connection to close in exchange, if too many are waiting.
    func connected(_ link: AppLink, from peer: String) -> AppLink? {
        waiting[ObjectIdentifier(link)] = link
        let evicted = pending.enter(ObjectIdentifier(link), from: PeerAddress(peer))
        return evicted.flatMap { waiting.removeValue(forKey: $0) }
    }

    /// Counts a connection as an app once its hello is accepted. Returns false if the limit is reached.
    func accept(_ link: AppLink) -> Bool {
        guard !isFull else { return false }
        let id = ObjectIdentifier(link)
        pending.exit(id)
        waiting[id] = nil
        connected.insert(id)
        return true
    }

    func disconnected(_ link: AppLink) {
        let id = ObjectIdentifier(link)
        connected.remove(id)
        if waiting.removeValue(forKey: id) != nil { pending.exit(id) }
    }

    /// The app of a live session.
    func link(of session: String) -> AppLink? { links[session].flatMap { $0.isLive ? $0 : nil } }

    /// Closes a connection whose session another server owns by now.
    func moved(_ app: HeldApp) {
        if let link = links[app.session], link.owner == app.owner { link.replaced() }
    }

    func pause(_ isPaused: Bool) {
        guard self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        for link in links.values { link.updateReading() }
    }

    /// Whether the connection that sent this hello may open its session. A recovered recording always may: the
    /// process that made the earlier connections is dead.
    func claim(_ hello: Hello, owner: String) -> Bool {
        guard let attempt = hello.attempt, !hello.recovered else { return true }
        return claims.claim(hello.header.session, key: hello.key, attempt: attempt, owner: owner)
    }

    func release(_ hello: Hello, owner: String) { claims.release(hello.header.session, key: hello.key, owner: owner) }

    /// Assigns the session to this link and closes the link that had it before.
    func attach(_ session: String, _ link: AppLink) {
        let last = links.updateValue(link, forKey: session)
        publish(session, link)
        last?.replaced()
    }

    /// Tells other threads what the session's link says of its app.
    func publish(_ session: String, _ link: AppLink) {
        if links[session] === link { live.publish(link.shown, of: session) }
    }

    func detach(_ session: String, _ link: AppLink) {
        guard links[session] === link else { return }
        links[session] = nil
        live.publish(nil, of: session)
    }

    /// Closes the connection of an app whose session is being deleted.
    func deleted(_ session: String) {
        live.setLiveReplay(nil, of: session)
        links[session]?.deleted()
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
