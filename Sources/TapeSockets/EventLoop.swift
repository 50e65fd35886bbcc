/// One thread that owns a libwebsockets context: everything that touches a socket runs on it.
///
/// A process may have several loops. The thread lives until ``stop()``.
package final class EventLoop: Sendable {
    /// Starts the thread.
    ///
    /// - Throws: ``SocketsError`` if the package was built without libwebsockets or the system refuses a thread or pipe.
    package init() throws(SocketsError) {}

    /// Runs `body` on the loop's thread, in the order of the calls. From any thread.
    package func execute(_ body: @escaping @Sendable () -> Void) {}

    /// Runs `body` on the loop's thread once `delay` has passed, unless it is cancelled before.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Scheduled {
        Scheduled()
    }

    /// Closes every connection with 1001, ends the thread and waits for it. Again is harmless.
    ///
    /// On the loop's own thread it only asks for the end, since a thread can't wait for itself.
    package func stop() {}
}
