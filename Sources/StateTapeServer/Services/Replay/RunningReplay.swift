import TapeArchive
import TapeFormat

/// A replay that an app runs, until its outcome is known.
// Unchecked: what changes is used on the queue of ``Replays`` only.
final class RunningReplay: @unchecked Sendable {
    typealias Work = @Sendable (RunningReplay, Session) throws -> Void

    /// Of the launch state, or of the live replay.
    let id: String
    let app: AppPort
    let isLive: Bool
    var replay: Replay
    /// The next event of the source, and the actions that the app has not answered yet.
    var next: Int
    var unanswered: Set<Int> = []
    var isAllSent = false
    /// The app's answer, and the last event before it, until that is compared.
    var last: Int?
    var failure: Pushed.Failure?
    /// Whether the app has begun the live replay.
    var isBegun = false
    /// Every event below was compared.
    var looked: Int
    /// The work on it, in order. The first piece is under way, or is tried again.
    var due: [Work] = []
    /// How often the first piece has failed.
    var failures = 0

    /// The most pieces of work that may wait. An app that answers only what it gets has fewer.
    static let maxWaiting = 1_024
    /// How many wait for the queue, or are due on it.
    private let waiting = Locked(0)

    var session: String { app.session }

    init(_ replay: Replay, in app: AppPort, looked: Int) {
        id = replay.start
        self.app = app
        isLive = replay.plan != nil
        self.replay = replay
        next = replay.from + 1
        self.looked = looked
    }

    /// Counts a new piece of work, on any thread. False if too many wait.
    func enter() -> Bool {
        waiting.withLock { waiting in
            waiting += 1
            return waiting <= Self.maxWaiting
        }
    }

    /// The first piece is done.
    func leave() {
        due.removeFirst()
        failures = 0
        waiting.withLock { $0 -= 1 }
    }
}
