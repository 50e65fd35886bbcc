import TapeArchive
import TapeFormat
import TapeSockets

/// The way to an app from any thread, once its session is open.
struct AppPort: Sendable, Equatable {
    let session: String
    /// Bytes of the longest message that the app accepts.
    let maxMessage: Int
    let connection: Connection

    /// Ignored once the connection is closed.
    func send(_ line: ServerLine) { connection.send(line.bytes) }

    static func == (one: AppPort, other: AppPort) -> Bool { one.connection === other.connection }
}

/// What all threads may know of the connected apps, by session. The loop publishes those of this server, and
/// ``Replays`` their replays; the broker has those of other servers.
final class LiveApps: Sendable {
    /// An app of this server.
    struct Entry: Sendable {
        let port: AppPort
        let row: Int64
        let owner: String
        /// The number of the app's connection.
        let attempt: Int?
        /// The app is connected, and it is the process that made the recording (not one that recovered it).
        var isLive = false
        var isRecording: Bool
        /// When the app unlocks, unless the lock is renewed.
        var lockedUntil: ContinuousClock.Instant?
        /// How many of the locked app's own actions wait.
        var queued = 0
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The launch replays, while they run.
        var launchReplays: [String: Replay] = [:]
        /// The last live replay of each app, maybe over an earlier connection.
        var liveReplays: [String: Replay] = [:]

        func live(_ session: String) -> Entry? { entries[session].flatMap { $0.isLive ? $0 : nil } }

        /// Not during a live replay: it is short, and a lock before it lasts.
        func isLocked(_ session: String) -> Bool {
            launchReplays[session] != nil || entries[session]?.lockedUntil.map { $0 > .now } ?? false
        }

        /// What a page shows of the app.
        func status(_ session: String) -> LiveApp? {
            live(session).map { entry in
                let isLocked = isLocked(session)
                return LiveApp(
                    recording: entry.isRecording, locked: isLocked, queued: isLocked ? entry.queued : 0,
                    replay: launchReplays[session]?.json, loop: liveReplays[session]?.json)
            }
        }
    }

    private static let maxLiveReplays = 100

    private let state = Locked(State())
    private let remote: RemoteApps

    /// - Parameter remote: The apps that are connected to other servers of the same archive.
    init(remote: RemoteApps = RemoteApps()) {
        self.remote = remote
    }

    /// Whether a connection sends into the session: from its app, or from a process that recovered a recording.
    func isConnected(_ session: String) -> Bool {
        state.withLock { $0.entries[session] != nil } || remote.isConnected(session)
    }

    /// Whether the session's app is connected. A link that sends a recovered recording isn't live.
    func isLive(_ session: String) -> Bool { port(of: session) != nil || remote.status(of: session) != nil }

    /// The live sessions.
    var live: Set<String> {
        Set(state.withLock { $0.entries.filter { $0.value.isLive } }.keys).union(remote.live)
    }

    /// The way to the app of a live session that is connected to this server.
    func port(of session: String) -> AppPort? { state.withLock { $0.live(session)?.port } }

    /// The state of a live session's app.
    func status(of session: String) -> LiveApp? {
        state.withLock { $0.status(session) } ?? remote.status(of: session)
    }

    /// The connections of this server: of some sessions, or all.
    func held(_ sessions: Set<String>?) -> [HeldApp] {
        state.withLock { state in
            (sessions ?? Set(state.entries.keys)).compactMap { session in
                state.entries[session].map { entry in
                    HeldApp(
                        session: session, row: entry.row, owner: entry.owner, attempt: entry.attempt,
                        status: state.status(session))
                }
            }
        }
    }

    func isLocked(_ session: String) -> Bool { state.withLock { $0.isLocked(session) } }

    /// Whether recorded actions are replayed in the app.
    func isReplaying(_ session: String) -> Bool {
        state.withLock { $0.launchReplays[session] != nil || $0.liveReplays[session]?.status == .running }
    }

    /// Publishes what is known of a session's app; nil once its connection has ended.
    func publish(_ entry: Entry?, of session: String) {
        state.withLock { state in
            if state.entries[session]?.port != entry?.port { state.launchReplays[session] = nil }
            state.entries[session] = entry
        }
    }

    /// Sets a launch replay, which ends with the connection.
    func setLaunchReplay(_ replay: Replay?, of port: AppPort) {
        state.withLock { state in
            if state.entries[port.session]?.port == port { state.launchReplays[port.session] = replay }
        }
    }

    func setLiveReplay(_ replay: Replay?, of session: String) {
        state.withLock { state in
            state.liveReplays[session] = replay
            guard state.liveReplays.count > Self.maxLiveReplays else { return }
            state.liveReplays = state.liveReplays.filter { $0.key == session || $0.value.status == .running }
        }
    }
}
