/// Subscribers in the order of their subscriptions. Adding and removing one costs the same for any number of them.
struct SubscriberList {
    /// A removed subscriber leaves nil behind, until half of the list is nil.
    private(set) var slots: [Subscriber?] = []
    private var removed = 0

    var isEmpty: Bool { removed == slots.count }

    mutating func append(_ subscriber: Subscriber) {
        subscriber.slot = slots.count
        slots.append(subscriber)
    }

    mutating func remove(_ subscriber: Subscriber) {
        slots[subscriber.slot] = nil
        removed += 1
        if removed * 2 > slots.count { compact() }
    }

    /// Releases what the subscribers would have called, when the store is released: subscriptions may keep them.
    func releaseClosures() {
        for subscriber in slots { subscriber?.deliver = { _ in } }
    }

    private mutating func compact() {
        slots.removeAll { $0 == nil }
        removed = 0
        for (index, subscriber) in slots.enumerated() { subscriber?.slot = index }
    }
}
