import Foundation

/// Who is at work in a store, and what waits to be done. It knows neither state nor action: without generics a
/// dispatch is several times cheaper.
///
/// The thread that finds the store idle is the *worker*, until nothing is left to do. It alone writes the state, and
/// it owns the state while it is *reducing*, without holding the lock; so a reducer changes the state in place.
final class WorkQueue {
    typealias Job = () -> Void

    private let condition = NSCondition()
    private var worker: pthread_t?
    private var isReducing = false
    private var readers = 0
    private var jobs: [Job] = []
    private var batch: [Job] = []  // the front of the queue, the next one last
    private var subscribers: [Subscriber] = []

    /// Makes the caller the worker, reducing; false if somebody is at work.
    func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard worker == nil else { return false }
        worker = pthread_self()
        beginReducing()
        return true
    }

    /// Like `enter()`, but leaves the job to whoever is at work.
    func enter(orLeave job: @escaping Job) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard worker == nil else {
            jobs.append(job)
            return false
        }
        worker = pthread_self()
        beginReducing()
        return true
    }

    /// Does what has been left, each job begun reducing, and ends the caller's being the worker.
    func finish() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        if batch.isEmpty, !jobs.isEmpty {
            batch = jobs.reversed()
            jobs.removeAll()
        }
        guard let job = batch.popLast() else {
            worker = nil
            return nil
        }
        beginReducing()
        return job
    }

    /// Readers who wait already come first, so that a busy store starves none.
    private func beginReducing() {
        while readers > 0 { condition.wait() }
        isReducing = true
    }

    /// Lets readers see the new state, and gives those who are to be told of it.
    func endReducing() -> [Subscriber] {
        condition.lock()
        defer { condition.unlock() }
        letReadersIn()
        return subscribers
    }

    /// Lets readers in again, and adds a subscriber; false if it has been cancelled already.
    func endReducing(adding subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        letReadersIn()
        if !subscriber.isCancelled { subscribers.append(subscriber) }
        return !subscriber.isCancelled
    }

    private func letReadersIn() {
        isReducing = false
        if readers > 0 { condition.broadcast() }
    }

    /// Whether a subscriber still waits for states.
    func wants(_ subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return !subscriber.isCancelled
    }

    /// Ends a subscription: empties its slot, and gives what was in it to be let go outside the lock.
    func remove(from subscription: Subscription) -> Subscriber? {
        condition.lock()
        defer { condition.unlock() }
        guard let subscriber = subscription.subscriber else { return nil }
        subscription.subscriber = nil
        subscriber.isCancelled = true
        subscribers.removeAll { $0 === subscriber }
        return subscriber
    }

    /// Calls the body when nobody is reducing, under the lock.
    func read<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        if isReducing {
            precondition(!isWorker, "A reducer or middleware asked for its store's state: use the one it was handed")
            readers += 1
            while isReducing { condition.wait() }
            readers -= 1
            if readers == 0 { condition.broadcast() }
        }
        return body()
    }

    private var isWorker: Bool {
        worker.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
}
