/// A subscription, which ends with `cancel()` or when its last reference is released.
// Unchecked: only `work` accesses the subscriber, under its lock.
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
    /// No delivery starts after the call. It doesn't wait for a delivery that is running on another thread.
    public func cancel() {
        _ = work.remove(from: self)
    }
}
