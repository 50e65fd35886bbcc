/// Keeps a subscriber subscribed: it ends with `cancel()`, or when the last reference to it is let go.
// Unchecked: the subscriber is read and written by `work` alone, under its lock.
public final class Subscription: @unchecked Sendable {
    var subscriber: Subscriber?
    private let work: WorkQueue

    init(of subscriber: Subscriber, to work: WorkQueue) {
        self.subscriber = subscriber
        self.work = work
    }

    deinit {
        cancel()
    }

    /// Ends the subscription; calling it again does nothing.
    ///
    /// No delivery begins after it. One that is already under way on another thread is not waited for.
    public func cancel() {
        _ = work.remove(from: self)
    }
}
