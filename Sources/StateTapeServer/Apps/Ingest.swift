import TapeArchive
import TapeFormat
import TapeSockets

/// The components that app links use.
struct Ingest: Sendable {
    /// Callbacks of the app links. All but `start` run on the loop's thread.
    struct Hooks: Sendable {
        /// A batch of the session is committed.
        var committed: @Sendable (_ session: String, _ batch: Batch, _ link: AppLink) -> Void
        /// The session is new, or its app connected or disconnected.
        var changed: @Sendable (_ session: String) -> Void
        /// Returns the launch state of a new run. Runs off the loop's thread.
        var start: @Sendable (_ run: Session) -> LaunchStates.Begin?
        /// The app of a new run has applied its launch state, or did not get or take it.
        var started: @Sendable (_ result: Pushed.Result, _ session: Session) -> Void
        /// The app has answered, maybe about its launch state.
        var answered: @Sendable (_ answer: Pushed, _ session: Session) -> Void
        /// The app was asked to start with a replay.
        var replay: @Sendable (_ replay: Replay, _ into: Session, _ link: AppLink) -> Void
        var pushed: @Sendable (_ answer: Pushed, _ link: AppLink) -> Void
        var disconnected: @Sendable (_ link: AppLink) -> Void
        /// The server refused the app.
        var refused: @Sendable (_ peer: String, _ error: LinkError) -> Void
    }

    let apps: Apps
    let committer: Committer
    let loop: EventLoop
    let workers: Workers
    let timing: Configuration.Timing
    let wrongTokens: WrongTokens
    /// Bytes of the longest message that is accepted.
    let maxMessage: Int
    /// The archive's id.
    let archive: String
    let isPrivate: Bool
    let hooks: Hooks
}
