#if Server
    import TapeFormat
    import TapeSockets

    /// What app links work with.
    struct Ingest: Sendable {
        /// What becomes of what they bring. All but `start` is called on the loop's thread.
        struct Hooks: Sendable {
            /// These lines of the session are committed.
            var committed: @Sendable (_ session: String, _ batch: Batch, _ link: AppLink) -> Void
            /// The session appeared, or its app came or went.
            var changed: @Sendable (_ session: String) -> Void
            /// Where a new run begins; off the loop's thread.
            var start: @Sendable (_ run: Session) -> LaunchStates.Begin?
            /// The app has been told to begin with a replay.
            var replay: @Sendable (_ replay: Replay, _ into: Session, _ link: AppLink) -> Void
            var pushed: @Sendable (_ answer: Pushed, _ link: AppLink) -> Void
            var gone: @Sendable (_ link: AppLink) -> Void
            /// The app was sent away.
            var refused: @Sendable (_ peer: String, _ error: LinkError) -> Void
        }

        let apps: Apps
        let committer: Committer
        let loop: EventLoop
        let workers: Workers
        let timing: Configuration.Timing
        let wrongTokens: WrongTokens
        /// Bytes of the longest message taken.
        let maxMessage: Int
        let hooks: Hooks
    }
#endif
