import DispatchContext
import Foundation

/// The lock and the job queue of a store. It isn't generic, which makes a dispatch several times faster.
///
/// The thread that finds the store idle becomes the *worker* until the queue is empty. Only the worker writes the state.
/// While it is *reducing*, it owns the state without holding the lock, so that a reducer changes the state in place.
final class WorkQueue {
    typealias Job = () -> Void

    private let condition = NSCondition()
    private var worker: pthread_t?
    private var isReducing = false
    private var readers = 0
    private var jobs: [Job] = []
    private var batch: [Job] = []  // the front of the queue, in reverse order
    private var subscribers: [Subscriber] = []
    private var held: [Subscription] = []

    /// Makes the caller the worker, and starts reducing.
    ///
    /// - Returns: False if there is a worker already.
    func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard worker == nil else { return false }
        worker = pthread_self()
        beginReducing()
        return true
    }

    /// Like `enter()`, but enqueues the job if there is a worker already.
    func enter(orEnqueue job: @escaping Job) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard worker == nil else {
            jobs.append(Self.keepingCause(job))
            return false
        }
        worker = pthread_self()
        beginReducing()
        return true
    }

    /// Another thread may run the job, in a dispatch that did not cause it.
    private static func keepingCause(_ job: @escaping Job) -> Job {
        let cause = EventID.current
        return {
            if cause == EventID.current { return job() }
            EventID.$current.withValue(cause, operation: job)
        }
    }

    /// Runs the queued jobs, each of which starts reducing. The caller is no longer the worker afterwards.
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

    /// Waiting readers go first, so that a busy store doesn't starve them.
    private func beginReducing() {
        while readers > 0 { condition.wait() }
        isReducing = true
    }

    /// Ends reducing, so that readers can read the new state.
    ///
    /// - Returns: The subscribers to call.
    func endReducing() -> [Subscriber] {
        condition.lock()
        defer { condition.unlock() }
        admitReaders()
        return subscribers
    }

    /// Ends reducing, and adds a subscriber.
    ///
    /// - Returns: False if the subscriber was cancelled already.
    func endReducing(adding subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        admitReaders()
        if !subscriber.isCancelled { subscribers.append(subscriber) }
        return !subscriber.isCancelled
    }

    private func admitReaders() {
        isReducing = false
        if readers > 0 { condition.broadcast() }
    }

    func isSubscribed(_ subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return !subscriber.isCancelled
    }

    /// Ends a subscription. The caller releases the subscriber, outside of the lock.
    func remove(_ subscriber: Subscriber) {
        condition.lock()
        defer { condition.unlock() }
        if subscriber.isCancelled { return }
        subscriber.isCancelled = true
        subscribers.removeAll { $0 === subscriber }
    }

    /// Whether the subscriber is in the list of those that are called.
    func has(_ subscriber: Subscriber) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return subscribers.contains { $0 === subscriber }
    }

    /// Keeps another queue's subscription until this queue is released.
    func hold(_ subscription: Subscription) {
        condition.lock()
        defer { condition.unlock() }
        held.append(subscription)
    }

    /// Whether the caller is the worker.
    var isCurrent: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isWorker
    }

    /// Calls the body under the lock while no thread is reducing.
    func read<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        if isReducing {
            precondition(!isWorker, "A reducer or middleware must not read store.state: use its state parameter")
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
