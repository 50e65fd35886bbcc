/// One subscriber of a store.
final class Subscriber {
    /// Delivers the state, unless it is a duplicate for this subscriber. Only the store's worker calls and sets it.
    var deliver: (Subscriber) -> Void
    /// Protected by the store's lock.
    var isCancelled = false

    init(deliver: @escaping (Subscriber) -> Void) {
        self.deliver = deliver
    }
}
