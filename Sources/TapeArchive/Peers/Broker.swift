import TapeFormat

/// Connects the servers that share one archive: it makes known what each of them did, and passes requests to the
/// server that holds an app.
package protocol Broker: Sendable {
    /// The apps that are connected to other servers, as this server knows them.
    var apps: RemoteApps { get }
    /// Whether this server does the work that one server does for all: retention, and what dead servers left.
    var isLeader: Bool { get }
    /// Whether the last message to other servers could be stored.
    var isReachable: Bool { get }
    var counts: BrokerCounts { get }

    /// Begins to call `receiver`.
    func begin(_ receiver: any BrokerReceiver)
    /// Tells the other servers. Can be called from any thread, and doesn't block.
    func tell(_ news: PeerNotice)
    /// The other server to which a session's app is connected; nil if there is none. Reads the archive.
    func holder(of session: Session) throws -> String?
    /// Passes a request to another server. Calls `then` once: with its answer, or with nil if none comes in time.
    func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void)
    /// Tells the others that this server's apps are gone, and returns once nothing runs.
    func stop()
}

/// Hears what the other servers of the archive tell.
package protocol BrokerReceiver: Sendable {
    /// The apps that are connected to this server: those of some sessions, or all. Called from any thread.
    func held(_ sessions: Set<String>?) -> [HeldApp]
    /// Called from any thread; must not block.
    func received(_ event: PeerEvent)
}

/// What another server of the same archive has told, or what it asks for.
package enum PeerEvent: Sendable {
    /// Other servers have committed lines of these sessions.
    case committed(Set<String>)
    /// Other servers have changed these sessions, or their apps.
    case changed(Set<String>)
    /// The sessions were deleted, some perhaps of apps that are connected here.
    case deleted(Set<String>)
    case runsChanged
    /// The session's app should send a full state of a store.
    case wanted(session: String, store: String)
    /// The app's newer connection is at another server.
    case moved(HeldApp)
    /// Another server passes a request.
    case request(PassedRequest, answer: @Sendable (PassedAnswer) -> Void)
    /// News were missed, so that anything may have changed.
    case missed
    /// It is time for what one server does for all, and this server is that one.
    case maintain
}

/// An app that is connected to this server.
package struct HeldApp: Sendable, Equatable {
    package let session: String
    package let row: Int64
    package let owner: String
    /// The number of the app's connection.
    package let attempt: Int?
    /// Nil for a process that sends a recovered recording.
    package let status: LiveApp?

    package init(session: String, row: Int64, owner: String, attempt: Int?, status: LiveApp?) {
        (self.session, self.row, self.owner, self.attempt, self.status) = (session, row, owner, attempt, status)
    }
}

/// The broker of a server that has its archive for itself.
package final class LocalBroker: Broker {
    package let apps = RemoteApps()

    package init() {}
    package var isLeader: Bool { true }
    package var isReachable: Bool { true }
    package var counts: BrokerCounts { BrokerCounts() }

    package func begin(_ receiver: any BrokerReceiver) { receiver.received(.maintain) }
    package func tell(_ news: PeerNotice) {}
    package func holder(of session: Session) throws -> String? { nil }
    package func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void) {
        then(nil)
    }
    package func stop() {}
}
