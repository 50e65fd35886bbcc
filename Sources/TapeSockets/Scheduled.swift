import TapeFormat

/// A timer on an ``EventLoop``.
package final class Scheduled: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    /// Cancels the timer unless it has fired. Can be called from any thread.
    package func cancel() {
        _ = take()
    }

    func fire() {
        take()?()
    }

    private func take() -> (@Sendable () -> Void)? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
