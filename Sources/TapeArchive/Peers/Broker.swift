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
    var figures: BrokerFigures { get }

    /// Begins to call `receiver`.
    func begin(_ receiver: BrokerReceiver)
    /// Tells the other servers. Can be called from any thread, and doesn't block.
    func tell(_ news: News)
    /// The other server to which a session's app is connected; nil if there is none. Reads the archive.
    func holder(of session: Session) throws -> String?
    /// Passes a request to another server. Calls `then` once: with its answer, or with nil if none comes in time.
    func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void)
    /// Tells the others that this server's apps are gone, and returns once nothing runs.
    func stop()
}

/// What a broker calls. All but `apps` may be called from any thread, and must not block.
package struct BrokerReceiver: Sendable {
    /// The apps that are connected to this server: those of some sessions, or all.
    package var apps: @Sendable (_ sessions: Set<String>?) -> [HeldApp]
    /// Other servers have committed lines of these sessions.
    package var committed: @Sendable (_ sessions: Set<String>) -> Void
    /// Other servers have changed these sessions, or their apps.
    package var changed: @Sendable (_ sessions: Set<String>) -> Void
    package var runsChanged: @Sendable () -> Void
    /// The session's app should send a full state of a store.
    package var wanted: @Sendable (_ session: String, _ store: String) -> Void
    /// The sessions were deleted, some perhaps of apps that are connected here.
    package var deleted: @Sendable (_ sessions: Set<String>) -> Void
    /// The app's newer connection is at another server.
    package var moved: @Sendable (_ app: HeldApp) -> Void
    /// Another server passes a request.
    package var request:
        @Sendable (_ request: PassedRequest, _ answer: @escaping @Sendable (PassedAnswer) -> Void) -> Void
    /// News were missed, so that anything may have changed.
    package var missed: @Sendable () -> Void
    /// Does what one server does for all. Called at intervals, while this server is that one.
    package var maintain: @Sendable () -> Void

    package init(
        apps: @escaping @Sendable (_ sessions: Set<String>?) -> [HeldApp],
        committed: @escaping @Sendable (_ sessions: Set<String>) -> Void,
        changed: @escaping @Sendable (_ sessions: Set<String>) -> Void, runsChanged: @escaping @Sendable () -> Void,
        wanted: @escaping @Sendable (_ session: String, _ store: String) -> Void,
        deleted: @escaping @Sendable (_ sessions: Set<String>) -> Void,
        moved: @escaping @Sendable (_ app: HeldApp) -> Void,
        request:
            @escaping @Sendable (_ request: PassedRequest, _ answer: @escaping @Sendable (PassedAnswer) -> Void) -> Void,
        missed: @escaping @Sendable () -> Void, maintain: @escaping @Sendable () -> Void
    ) {
        (self.apps, self.committed, self.changed, self.runsChanged) = (apps, committed, changed, runsChanged)
        (self.wanted, self.deleted, self.moved, self.request, self.missed) = (wanted, deleted, moved, request, missed)
        self.maintain = maintain
    }
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
    package var figures: BrokerFigures { BrokerFigures() }

    package func begin(_ receiver: BrokerReceiver) { receiver.maintain() }
    package func tell(_ news: News) {}
    package func holder(of session: Session) throws -> String? { nil }
    package func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void) {
        then(nil)
    }
    package func stop() {}
}
