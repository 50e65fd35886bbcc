/// Ends a long search, even within a line: at a deadline, or when the client has gone.
package struct SearchLimit: Sendable {
    /// The search was cancelled, because its client has gone.
    package struct Cancelled: Error {
        package init() {}
    }

    /// The maximum time for one line.
    package static let line = Duration.seconds(1)

    package let deadline: ContinuousClock.Instant
    package let isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: Whether the client has gone; called often, from any thread.
    package init(
        deadline: ContinuousClock.Instant = .now + SearchLimit.line, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.deadline = deadline
        self.isCancelled = isCancelled
    }

    package var isReached: Bool { ContinuousClock.now >= deadline || isCancelled() }
}
