/// Where a search ends that has come to no answer: at a time, also inside a line, or once nobody waits for it.
package struct SearchLimit: Sendable {
    /// The search was ended, since its client has gone.
    package struct Cancelled: Error {
        package init() {}
    }

    /// How long a search may stay in one line.
    package static let line = Duration.seconds(1)

    package let deadline: ContinuousClock.Instant
    package let isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: Whether nobody waits for the answer any more; called often, from any thread.
    package init(
        deadline: ContinuousClock.Instant = .now + SearchLimit.line, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.deadline = deadline
        self.isCancelled = isCancelled
    }

    package var isReached: Bool { ContinuousClock.now >= deadline || isCancelled() }
}
