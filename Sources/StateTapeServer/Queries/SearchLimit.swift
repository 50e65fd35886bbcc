#if Server
    /// Where a search ends that has come to no answer: at a time, also inside a line, or once nobody waits for it.
    struct SearchLimit: Sendable {
        /// The search was ended, since its client has gone.
        struct Cancelled: Error {}

        /// How long a search may stay in one line.
        static let line = Duration.seconds(1)

        let deadline: ContinuousClock.Instant
        let isCancelled: @Sendable () -> Bool

        /// - Parameter isCancelled: Whether nobody waits for the answer any more; called often, from any thread.
        init(deadline: ContinuousClock.Instant = .now + SearchLimit.line, isCancelled: @escaping @Sendable () -> Bool) {
            self.deadline = deadline
            self.isCancelled = isCancelled
        }

        var isReached: Bool { ContinuousClock.now >= deadline || isCancelled() }
    }
#endif
