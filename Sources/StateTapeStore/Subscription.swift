/// A subscription, which ends with `cancel()`, when its last reference is released, or when its store is released.
// Unchecked: the references never change.
public final class Subscription: @unchecked Sendable {
    /// Weak, like `work`, so that a store's subscribers are released with it.
    private(set) weak var subscriber: Subscriber?
    private weak var work: WorkQueue?

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
        if let work, let subscriber { work.remove(subscriber) }
    }
}
