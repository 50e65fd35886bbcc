/// A body that waits for its time on an ``EventLoop``.
package final class Scheduled: Sendable {
    private let body: Locked<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Locked(body)
    }

    /// Keeps the body from running, unless it already has. From any thread.
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
