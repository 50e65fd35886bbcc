import TapeFormat
import TapeSockets

/// Connects the servers that share one archive: it makes known what each of them did, and passes requests to the
/// server that holds an app.
protocol Broker: Sendable {
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
struct BrokerReceiver: Sendable {
    /// The apps that are connected to this server: those of some sessions, or all.
    var apps: @Sendable (_ sessions: Set<String>?) -> [HeldApp]
    /// Other servers have committed lines of these sessions.
    var committed: @Sendable (_ sessions: Set<String>) -> Void
    /// Other servers have changed these sessions, or their apps.
    var changed: @Sendable (_ sessions: Set<String>) -> Void
    var runsChanged: @Sendable () -> Void
    /// The session's app should send a full state of a store.
    var wanted: @Sendable (_ session: String, _ store: String) -> Void
    /// The sessions were deleted, some perhaps of apps that are connected here.
    var deleted: @Sendable (_ sessions: Set<String>) -> Void
    /// The app's newer connection is at another server.
    var moved: @Sendable (_ app: HeldApp) -> Void
    /// Another server passes a request.
    var request: @Sendable (_ request: PassedRequest, _ answer: @escaping @Sendable (PassedAnswer) -> Void) -> Void
    /// News were missed, so that anything may have changed.
    var missed: @Sendable () -> Void
    /// Does what one server does for all. Called at intervals, while this server is that one.
    var maintain: @Sendable () -> Void
}

/// An app that is connected to this server.
struct HeldApp: Sendable, Equatable {
    let session: String
    let row: Int64
    let owner: String
    /// The number of the app's connection.
    let attempt: Int?
    /// Nil for a process that sends a recovered recording.
    let status: LiveApp?
}

/// The broker of a server that has its archive for itself.
final class LocalBroker: Broker {
    let apps = RemoteApps()
    var isLeader: Bool { true }
    var isReachable: Bool { true }
    var figures: BrokerFigures { BrokerFigures() }

    func begin(_ receiver: BrokerReceiver) { receiver.maintain() }
    func tell(_ news: News) {}
    func holder(of session: Session) throws -> String? { nil }
    func pass(_ request: PassedRequest, to server: String, then: @escaping @Sendable (PassedAnswer?) -> Void) {
        then(nil)
    }
    func stop() {}
}
