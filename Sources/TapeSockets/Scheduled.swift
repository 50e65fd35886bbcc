/// A body that waits for its time on an ``EventLoop``.
package struct Scheduled: Sendable {
    /// Keeps the body from running, unless it already has. From any thread.
    package func cancel() {}
}
