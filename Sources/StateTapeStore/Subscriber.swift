/// One subscriber of a store.
final class Subscriber {
    /// Delivers the state, unless it is a duplicate for this subscriber. Only the store's worker calls and sets it.
    @exclusivity(unchecked) var deliver: (Subscriber) -> Void
    /// Protected by the store's lock, like all that follows.
    var isCancelled = false
    /// Its place among all subscribers of the store; nil until it is added.
    var number: Int?
    /// The selection whose list it is in; nil if it is in the store's own list. Used until the store is released.
    unowned var selection: Selection?
    /// Its index in the list.
    var slot = 0

    init(deliver: @escaping (Subscriber) -> Void) {
        self.deliver = deliver
    }
}
