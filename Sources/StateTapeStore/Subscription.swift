/// A subscription, which ends with `cancel()`, when its last reference is released, or when its store is released.
// Unchecked: the store's lock protects the subscriber, and the other reference never changes.
public final class Subscription: @unchecked Sendable {
    // Neither is weak, because retaining an object that has weak references takes several times as long. A store that is
    // released makes its subscribers release their closures.
    /// Nil after the end.
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
        work.end(self)
    }
}
