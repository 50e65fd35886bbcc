import Foundation

// The lock protects what these methods use.
extension WorkQueue {
    func isSubscribed(_ subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return !subscriber.isCancelled
    }

    /// Ends a subscription.
    func end(_ subscription: Subscription) {
        condition.lock()
        let subscriber = subscription.subscriber
        // Its release may run the app's code, so it comes after the lock.
        defer { withExtendedLifetime(subscriber) {} }
        defer { condition.unlock() }
        subscription.subscriber = nil
        guard let subscriber else { return }
        subscriber.isCancelled = true
        if isClosed || subscriber.number == nil { return }
        guard let selection = subscriber.selection else { return subscribers.remove(subscriber) }
        selection.subscribers.remove(subscriber)
        if selection.subscribers.isEmpty { emptied.append(selection) }
    }

    /// The subscriber of a subscription, if it is in the list of those that are called.
    func subscriber(of subscription: Subscription) -> Subscriber? {
        condition.lock()
        defer { condition.unlock() }
        return subscription.subscriber.flatMap { $0.number == nil ? nil : $0 }
    }

    /// Keeps another queue's subscription until the store is released.
    func hold(_ subscription: Subscription) {
        condition.lock()
        defer { condition.unlock() }
        held.append(subscription)
    }

    /// Adds a subscriber of a selection.
    ///
    /// - Returns: False if the subscriber was cancelled already.
    func add(_ subscriber: Subscriber, to selection: Selection) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if subscriber.isCancelled {
            if selection.subscribers.isEmpty { emptied.append(selection) }
            return false
        }
        number(subscriber)
        subscriber.selection = selection
        selection.subscribers.append(subscriber)
        return true
    }

    /// Merges subscribers and those of selections.
    func inOrder(_ subscribers: [Subscriber?], and selections: [Selection]) -> [Subscriber?] {
        var all = subscribers
        condition.lock()
        for selection in selections { all += selection.subscribers.slots }
        condition.unlock()
        all.removeAll { $0 == nil }
        return all.sorted { ($0?.number ?? 0) < ($1?.number ?? 0) }
    }

    /// Returns the selections whose last subscription has ended since the last call. They may have a new one.
    func takeEmptied() -> [Selection] {
        condition.lock()
        defer { condition.unlock() }
        defer { emptied = [] }
        return emptied
    }

    func isEmpty(_ selection: Selection) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return selection.subscribers.isEmpty
    }

    /// Ends all subscriptions, when the store is released.
    func close() {
        condition.lock()
        isClosed = true
        let released = (subscribers, held, emptied)
        (subscribers, held, emptied) = (SubscriberList(), [], [])
        condition.unlock()
        // Releasing closures runs the app's code, so it comes after the lock.
        withExtendedLifetime(released) { released.0.releaseClosures() }
    }
}
