/// One subscriber of a store.
final class Subscriber {
    /// Hands over the state, if it tells this subscriber something new; called, and set, by the store's worker.
    var deliver: (Subscriber) -> Void
    /// Guarded by the store's lock.
    var isCancelled = false

    init(deliver: @escaping (Subscriber) -> Void) {
        self.deliver = deliver
    }
}
